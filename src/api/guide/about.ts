/** What each page is about, in a sentence of its own: what /llms.txt tells programs that choose among them. */
export const aboutPages: Record<string, string> = {
  'docs/api/README.md':
    'How to authenticate, a first call, and what holds for every operation, with a list of all pages.',
  'docs/api/first-program.md':
    'From an address and a key alone, a complete program in TypeScript and in Python that counts and sends a message.',
  'docs/api/first-integration.md':
    'A complete system in TypeScript and in Python that reports signed events, answers Lookups and receives callbacks.',
  'docs/api/testing.md':
    'How to try out an integration without reaching anybody, and how to make providers fail in the demo.',
  'docs/api/going-live.md':
    'What to ask an administrator for, check before the first real send, and watch afterwards.',
  'docs/api/administration.md':
    'How system administrators manage units, people, producer keys, signing keys, categories and quota.',
  'docs/api/approvals.md': 'What waits for an approver, and the pages on which people approve or reject it.',
  'docs/api/audit.md': 'Who did what to which object and when, as entries that never change.',
  'docs/api/callbacks.md':
    'Signed requests to your own endpoint when a message, a run or an address changes, with every type of event.',
  'docs/api/errors.md':
    'Every error code with its status, its details and what to do, and every rule of validation.',
  'docs/api/event-bindings.md':
    'The rules by which signed events of a source and type become messages or start conversations.',
  'docs/api/events.md': 'How to sign and send an event that says what happened, and what each answer means.',
  'docs/api/groups.md':
    'Named sets of people for audiences: static lists with a legal basis, and stored queries.',
  'docs/api/handoffs.md':
    'Conversations that people of a unit take over, from a scenario or the conversational assistant.',
  'docs/api/imports.md':
    'How to write up to a million people from a CSV or NDJSON file, and what becomes of rejected lines.',
  'docs/api/keys.md':
    'What a producer key may do: its unit, categories, audience dimensions, rights and rate limits.',
  'docs/api/limits.md':
    'How many objects can be stored, how large pages of lists get, and how fast conversations go.',
  'docs/api/lookups.md':
    'How a conversation asks your system for data: the signed request, your answer, and its limits.',
  'docs/api/media.md': 'How to upload pictures for messages, and how long they are kept.',
  'docs/api/messages.md':
    'How to create, count, preview, submit, approve, send, pause and stop a message, with every field.',
  'docs/api/metrics.md':
    'Counts and ratios about the messages and conversations of a unit, by day and in total.',
  'docs/api/patterns.md':
    'Registrations with a waiting list, surveys and RSVPs, which generate their conversation.',
  'docs/api/reasons.md':
    'Why somebody got nothing, or a conversation ended, for each reason, and what to do about it.',
  'docs/api/recipients.md':
    'The inbox and the preferences of recipients, with an ID token of the chat provider.',
  'docs/api/recorded-events.md':
    'What became of each signed event that was received, and how to process one again.',
  'docs/api/runs.md':
    'How to simulate, test, start, follow and end the conversations of a scenario, and read their answers.',
  'docs/api/scenarios.md':
    'How to write a conversation of several steps as a graph, and bring a version of it into force.',
  'docs/api/schedules.md':
    'Messages and starts of conversations at set times: once, after a delay, or recurring.',
  'docs/api/service.md': 'Health, probes and the OpenAPI document of the installation.',
  'docs/api/sign-in.md':
    'How people sign in to and out of the console by OpenID Connect, and what a session is.',
  'docs/api/subjects.md':
    'The people who may be written to: their addresses, consents, stage, profile and tags.',
  'docs/api/summary.md': 'Counts of what waits, is being sent or is parked in a unit, cheap enough to poll.',
  'docs/api/templates.md': 'Reusable approved texts with variables, and the categories that they belong to.',
  'docs/api/topics.md': 'What a unit writes about: recipients can unsubscribe from each topic separately.',
  'docs/api/units.md': "A unit's members, and its quota of each month on each channel.",
  'docs/api/webhooks.md':
    'The events that channels and the conversational assistant send to Carillon, and their signatures.',
  'docs/api/who-may-what.md': 'Which caller may call which operation, as a table.',
  'client/README.md':
    'The client library for TypeScript and JavaScript: installing it, its methods, retries, events, callbacks and errors.',
  'CHANGELOG.md': 'What changed in each version of Carillon, and what stays stable.',
  'client/CHANGELOG.md': 'What changed in each version of the client library.',
}
