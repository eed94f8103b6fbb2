import type { Config } from '../config.ts'
import type { Channel } from '../contract/enums.ts'
import type { CallContent, ChannelHealth, ObserveRequest, Outcome } from './channel.ts'
import type { Cleared } from './cleared.ts'
import type { LinkSigner } from './email/links.ts'

/** How a channel is connected to its provider; `setting` names the provider. Each one is the `connect.ts` of its folder. */
export type Connector<C extends Channel> = {
  setting: keyof Config
  /** Connects as the settings say, on demand; undefined: they name no provider, or lack what it needs. */
  connect(config: Config, deps: ConnectionDeps): Connection<C> | undefined
}

/** What a connection is made of, besides the settings. */
export type ConnectionDeps = {
  /** Resolves when one call may be made at this rate; to false if the rate could not be leased. */
  mayStart(rate: { account: string; endpoint: string; perSecond: number }): Promise<boolean>
  observe: ObserveRequest
  /** Signs the links in mails; undefined without SECRETS_KEY. */
  links: LinkSigner | undefined
}

/** A channel with its provider. */
export type Connection<C extends Channel> = {
  sender: Sender<C>
  /** Answers an event by its token, which costs nothing; undefined: no event of the channel has one. */
  reply?: Reply<C>
  /** Whether the provider takes calls. `patienceMs`: an answer that takes longer counts as none. */
  health(patienceMs: number): Promise<ChannelHealth>
  /** The provider's address, and as whom it is called, for operators. */
  provider: string
  close(): Promise<void>
}

/** Sends by a reply token, which works once; an unclear outcome stays unclear. Never throws for provider errors. */
export type Reply<C extends Channel> = (reply: {
  replyToken: string
  content: Cleared<CallContent[C]>
}) => Promise<Outcome>

/** How a channel sends: by calls with one outcome, or with an outcome for each recipient (`outcomePer` of its facts). */
export type Sender<C extends Channel> = CallSender<C> | RecipientSender<C>

/** Makes one provider call for all its recipients; its `retryKey` (a UUID) makes a retry safe. */
export type CallSender<C extends Channel> = {
  outcomePer: 'call'
  send(call: { to: string[]; content: Cleared<CallContent[C]>; retryKey: string }): Promise<Outcome>
}

/** Sends to one recipient after the other. Outcomes are in their order; none is begun once `mayBegin` returns false. */
export type RecipientSender<C extends Channel> = {
  outcomePer: 'recipient'
  send(call: RecipientCall<C>, mayBegin: () => boolean): Promise<Outcome[]>
}

/** One content to several recipients. `test`: it is marked as one. */
export type RecipientCall<C extends Channel> = {
  to: { subjectId: string; address: string }[]
  content: Cleared<CallContent[C]>
  messageId: string
  waveId: string
  test?: boolean
}

/** The senders of a process, by channel. A channel without one is left to other processes. */
export type Senders = { [C in Channel]?: Sender<C> }

/** One content to one person. `retryKey`: for channels that take one. */
export type CallToOne<C extends Channel> = Omit<RecipientCall<C>, 'to'> & {
  to: { subjectId: string; address: string }
  retryKey: string
}

/** Sends one content to one person. */
export async function sendToOne<C extends Channel>(
  sender: Sender<C>,
  { to, retryKey, ...call }: CallToOne<C>,
): Promise<Outcome> {
  if (sender.outcomePer === 'call') return sender.send({ to: [to.address], content: call.content, retryKey })
  const [outcome] = await sender.send({ ...call, to: [to] }, () => true)
  return outcome!
}
