import type { Phase } from '../../../../src/channels/email/failure.ts'

/**
 * What a reply means. `suppressed`: the mailbox is gone, and the address is suppressed. `alone`: this delivery fails,
 * for this reason. `later`: this delivery waits. `limit`: the sender's account may send no more for now. `slower`: the
 * channel rests for seconds or minutes. `account`: a person must act; at a recipient, once a second one gets the same.
 * `server`: the server cannot take mail now.
 */
export type FarEndMeaning =
  | 'suppressed'
  | `alone ${string}`
  | `later ${string}`
  | 'limit'
  | 'slower'
  | 'account'
  | 'server'

type Row = [phase: Phase, reply: string, means: FarEndMeaning]

const google = 'https://support.google.com/a/answer/3726730'
const sisimai = (file: string) => `github.com/sisimai/p5-sisimai lib/Sisimai/Rhost/${file}.pm`
const mails = 'github.com/sisimai/p5-sisimai set-of-emails/maildir/bsd'
const fieldManual = 'github.com/ActiveCampaign/smtp-field-manual data/codes'
const zoneMta = 'github.com/zone-eu/zone-mta config/bounces.txt'
const postfix = 'github.com/vdukhovni/postfix postfix/src/smtpd'
const exim = 'github.com/Exim/exim src/src'

/**
 * Replies of the far ends that Carillon's mail meets, as their operators document them, or as people have kept them:
 * by system and by the source in which each stands. Addresses are replaced by ann@example.edu, hosts by examples.
 */
export const farEnds: Record<string, Record<string, Row[]>> = {
  Gmail: {
    [google]: [
      ['recipient', '421 4.7.0 IP not in whitelist for RCPT domain, closing connection.', 'slower'],
      ['connect', '421 4.4.5 Server busy, try again later.', 'slower'],
      [
        'recipient',
        '450 4.2.1 The user you are trying to contact is receiving mail too quickly. Please resend your message at a later time.',
        'later later',
      ],
      [
        'recipient',
        '450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.',
        'later later',
      ],
      ['recipient', '450 4.2.1 Peak SMTP relay limit exceeded for customer.', 'limit'],
      [
        'recipient',
        '452 4.2.2 The email account that you tried to reach is over quota.',
        'later mailbox_full',
      ],
      [
        'recipient',
        "452 4.5.3 Your message has too many recipients. For more information regarding Google's sending limits, visit https://support.google.com/mail/?p=TooManyRecipientsError",
        'slower',
      ],
      ['login', '454 4.7.0 Too many login attempts, please try again later.', 'slower'],
      ['login', '535 5.7.8 Username and Password not accepted.', 'account'],
      ['sender', '530 5.7.0 Must issue a STARTTLS command first.', 'account'],
      ['recipient', '550 5.4.5 Daily sending quota exceeded.', 'limit'],
      ['end', '550 5.4.5 Daily SMTP relay limit exceeded for user.', 'limit'],
    ],
    [sisimai('Google')]: [
      [
        'recipient',
        "550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient's email address for typos or\n550-5.1.1 unnecessary spaces. For more information, go to\n550 5.1.1  https://support.google.com/mail/?p=NoSuchUser x-20020a170902 - gsmtp",
        'suppressed',
      ],
      [
        'recipient',
        '550-5.2.1 The email account that you tried to reach is inactive. For more\n550-5.2.1 information, go to\n550 5.2.1  https://support.google.com/mail/?p=DisabledUser - gsmtp',
        'suppressed',
      ],
      ['recipient', "553 5.1.2 We weren't able to find the recipient domain.", 'suppressed'],
      [
        'recipient',
        '553 5.1.3 The recipient address <ann@example.edu> is not a valid RFC 5321 address.',
        'suppressed',
      ],
      [
        'sender',
        '553 5.1.7 The sender address <notice@hub.example.edu> is not a valid RFC 5321 address.',
        'account',
      ],
      [
        'recipient',
        '550-5.2.1 The user you are trying to contact is receiving mail at a rate that\n550-5.2.1 prevents additional messages from being delivered.',
        'later later',
      ],
      [
        'recipient',
        "552-5.2.2 The recipient's inbox is out of storage space and inactive. Please direct the recipient to\n552 5.2.2  https://support.google.com/mail/?p=OverQuotaPerm",
        'alone mailbox_full',
      ],
      ['recipient', '550 5.7.1 Email quota exceeded.', 'alone mailbox_full'],
      ['recipient', '550 5.4.5 Daily user sending limit exceeded.', 'limit'],
      ['recipient', '550 5.7.1 Daily SMTP relay sending limit exceeded for customer.', 'limit'],
      ['end', '550 5.7.1 This mail has been rate limited.', 'limit'],
      [
        'end',
        '421-4.7.28 Gmail has detected an unusual rate of mail originating from your IP address\n421 4.7.28 192.0.2.25. To protect our users from spam, mail has been temporarily rate limited.',
        'slower',
      ],
      [
        'end',
        '550-5.7.26 This mail has been blocked because the sender is unauthenticated.\n550 5.7.26 Gmail requires all senders to authenticate with either SPF or DKIM.',
        'alone policy',
      ],
      [
        'end',
        "550-5.7.26 Unauthenticated email from example.edu is not accepted due to domain's\n550 5.7.26 DMARC policy.",
        'alone policy',
      ],
      [
        'end',
        '550 5.7.1 Our system has detected that this message is likely suspicious due to the very low reputation of the sending domain.',
        'alone policy',
      ],
      [
        'end',
        '550 5.7.25 The IP address sending this message does not have a PTR record setup.',
        'alone policy',
      ],
      [
        'end',
        '550 5.7.1 The user or domain that you are sending to (or from) has a policy that prohibited the mail that you sent.',
        'alone policy',
      ],
      ['end', "552 5.3.4 Your message exceeded Google's message size limits.", 'alone too_large'],
      [
        'end',
        '550 5.7.1 This message is not RFC 5322 compliant because it has duplicate headers.',
        'alone content',
      ],
      ['recipient', '550 5.7.0 Mail relay denied <192.0.2.25>. Invalid credentials for relay', 'account'],
      ['connect', '421 4.3.0 Temporary System Problem. Try again later.', 'server'],
    ],
  },

  'Exchange Online and Outlook.com': {
    [sisimai('Microsoft')]: [
      [
        'recipient',
        '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
        'suppressed',
      ],
      ['recipient', '550 5.1.1 RESOLVER.ADR.ExRecipNotFound; not found', 'suppressed'],
      [
        'recipient',
        '550 5.4.1 [ann@example.edu]: Recipient address rejected: Access denied. AS(201806281) [DB5EUR03FT012.eop-EUR03.prod.protection.outlook.com]',
        'suppressed',
      ],
      ['recipient', '550 5.4.1 Relay Access Denied', 'account'],
      ['recipient', '550 5.7.64 TenantAttribution; Relay Access Denied', 'account'],
      ['recipient', '550 5.7.504 Recipient address rejected: Access denied', 'alone policy'],
      ['recipient', '550 5.7.505 Access denied, banned recipient', 'alone policy'],
      [
        'recipient',
        '550 5.2.2 STOREDRV.Deliver: mailbox full. The following information should help identify the cause',
        'alone mailbox_full',
      ],
      [
        'end',
        "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
        'limit',
      ],
      ['end', '550 5.2.2 Submission quota exceeded', 'limit'],
      ['end', '550 5.7.705 Access denied, tenant has exceeded threshold', 'limit'],
      ['recipient', '550 5.7.708 Access denied, traffic not accepted from this IP', 'alone policy'],
      [
        'recipient',
        '550 5.7.508 Access denied, [192.0.2.25] has exceeded permitted limits within 192.0.2.0 range',
        'limit',
      ],
      [
        'recipient',
        '550 5.7.606 Access denied, banned sending IP [192.0.2.25]. To request removal from this list please visit https://sender.office.com/',
        'alone policy',
      ],
      [
        'recipient',
        "550 5.7.1 Unfortunately, messages from [192.0.2.25] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150).",
        'alone policy',
      ],
      [
        'end',
        '550 5.7.509 Access denied, sending domain [EXAMPLE.EDU] does not pass DMARC verification and has a DMARC policy of reject.',
        'alone policy',
      ],
      [
        'end',
        '550 5.7.23 The message was rejected because of Sender Policy Framework violation',
        'alone policy',
      ],
      ['recipient', '550 5.1.8 Access denied, bad outbound sender', 'account'],
      [
        'sender',
        '451 4.7.650 The mail server [192.0.2.5] has been temporarily rate limited due to IP reputation. For e-mail delivery information, see https://postmaster.live.com (S775)',
        'slower',
      ],
      ['sender', '451 4.7.500 Server busy. Please try again later from [192.0.2.2]. (AS761)', 'server'],
      [
        'sender',
        '550 5.7.57 Client was not authenticated to send anonymous mail during MAIL FROM',
        'account',
      ],
    ],
    [fieldManual]: [
      [
        'recipient',
        '550 5.4.1 All recipient addresses rejected : Access denied [BN8NAM12FT046.eop-nam02.prod.protection.outlook.com]',
        'suppressed',
      ],
      [
        'recipient',
        '550 5.5.0 Requested action not taken: mailbox unavailable. [BN8NAM12FT046.eop-nam12.prod.protection.outlook.com]',
        'suppressed',
      ],
      [
        'recipient',
        '550 5.7.1 Service unavailable, MailFrom domain is listed in Spamhaus. To request removal from this list see https://www.spamhaus.org/query/lookup/ (S8002)',
        'alone policy',
      ],
      [
        'recipient',
        '554 5.2.122 The recipient has exceeded their limit for the number of messages they can receive per hour.',
        'later later',
      ],
      [
        'recipient',
        '554 5.2.121 The sender has exceeded the limit for the number of messages they can send to this recipient per hour.',
        'later later',
      ],
      ['connect', '421 4.3.2 Service not available', 'slower'],
    ],
  },

  Yahoo: {
    [sisimai('YahooInc')]: [
      [
        'end',
        "554 delivery error: dd This user doesn't have a yahoo.com account (ann@example.edu) [0] - mta1061.mail.ne1.yahoo.com",
        'suppressed',
      ],
      [
        'end',
        '554 30 Sorry, your message to ann@example.edu cannot be delivered. This mailbox is disabled (554.30).',
        'suppressed',
      ],
      ['end', '552 1 Requested mail action aborted, mailbox not found', 'suppressed'],
      ['recipient', '554 delivery error: dd ann@example.edu is no longer valid.', 'suppressed'],
      ['recipient', '450 User is receiving mail too quickly', 'later later'],
      [
        'sender',
        '421 4.7.0 [TSS04] Messages from 192.0.2.25 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes',
        'slower',
      ],
      [
        'recipient',
        '553 5.7.2 [TSS09] All messages from 192.0.2.25 will be permanently deferred; Retrying will NOT succeed. See https://postmaster.yahooinc.com/error-codes',
        'alone policy',
      ],
      [
        'recipient',
        "553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.25, because the ip is in Spamhaus's list; see http://postmaster.yahoo.com/550-bl23.html",
        'alone policy',
      ],
      [
        'end',
        '554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes',
        'alone policy',
      ],
      [
        'end',
        '550 5.7.9 This mail has been blocked because the sender is unauthenticated. Yahoo requires all senders to authenticate with either SPF or DKIM.',
        'alone policy',
      ],
      ['recipient', '550 relaying denied for <ann@example.edu>', 'account'],
      ['recipient', '421 Max message per connection reached, closing transmission channel', 'slower'],
    ],
  },

  iCloud: {
    [sisimai('Apple')]: [
      ['recipient', '550 5.1.1 <ann@example.edu>: inactive email address', 'suppressed'],
      ['recipient', '550 5.1.1 unknown or illegal alias: ann@example.edu', 'suppressed'],
      ['recipient', '550 5.1.6 recipient no longer on server: ann@example.edu', 'suppressed'],
      ['recipient', '552 5.2.2 <ann@example.edu>: user is over quota', 'alone mailbox_full'],
      [
        'recipient',
        '550 5.7.0 Blocked - see https://support.proofpoint.com/dnsbl-lookup.cgi?ip=192.0.1.2',
        'alone policy',
      ],
      [
        'end',
        '550 5.7.1 Your email was rejected due to having a domain present in the Spamhaus DBL -- see https://www.spamhaus.org/dbl/',
        'alone policy',
      ],
      ['end', '550 5.7.1 [CS01] Message rejected due to local policy.', 'alone policy'],
      [
        'end',
        "554 5.7.1 Your message was rejected due to example.edu's DMARC policy. See https://support.apple.com/en-us/HT204137",
        'alone policy',
      ],
      ['recipient', '554 5.7.1 <ann@example.edu>: Relay access denied', 'account'],
      [
        'recipient',
        '450 4.1.8 <notice@hub.example.edu>: Sender address rejected: Domain not found',
        'later later',
      ],
      [
        'end',
        '421 4.7.1 Messages to ann@example.edu deferred due to excessive volume. Try again later - https://support.apple.com/en-us/HT204137',
        'slower',
      ],
      ['connect', '554 st11p00im-smtpin001.me.com ESMTP not accepting connections', 'account'],
    ],
    [fieldManual]: [['recipient', '550 5.1.1 <ann@example.edu>: user does not exist', 'suppressed']],
  },

  Postfix: {
    [`${postfix}/smtpd_check.c`]: [
      [
        'recipient',
        '550 5.1.1 <ann@example.edu>: Recipient address rejected: User unknown in local recipient table',
        'suppressed',
      ],
      ['recipient', '450 4.1.1 <ann@example.edu>: Recipient address rejected: User unknown', 'later later'],
      [
        'recipient',
        '450 4.1.1 <ann@example.edu>: Recipient address rejected: unverified address: Address verification in progress',
        'later later',
      ],
      ['recipient', '554 5.7.1 <ann@example.edu>: Recipient address rejected: Access denied', 'alone policy'],
      ['recipient', '554 5.7.1 <ann@example.edu>: Relay access denied', 'account'],
      [
        'recipient',
        '553 5.7.1 <notice@hub.example.edu>: Sender address rejected: not owned by user hub',
        'alone policy',
      ],
      [
        'recipient',
        '550 5.7.25 Client host rejected: cannot find your reverse hostname, [192.0.2.25]',
        'alone policy',
      ],
      ['recipient', '504 5.5.2 <mail>: Helo command rejected: need fully-qualified hostname', 'alone policy'],
      ['recipient', '504 5.5.2 <ann>: Recipient address rejected: need fully-qualified address', 'account'],
      [
        'recipient',
        '554 5.7.1 Service unavailable; Client host [192.0.2.25] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/192.0.2.25',
        'alone policy',
      ],
      [
        'recipient',
        '550 5.1.0 <notice@hub.example.edu>: Sender address rejected: Domain not found',
        'alone policy',
      ],
    ],
    [`${postfix}/smtpd.c`]: [
      ['sender', '450 4.7.1 Error: too much mail from 192.0.2.25', 'slower'],
      ['recipient', '450 4.7.1 Error: too many recipients from 192.0.2.25', 'slower'],
      ['recipient', '501 5.1.3 Bad recipient address syntax', 'suppressed'],
      ['sender', '501 5.1.7 Bad sender address syntax', 'account'],
      ['sender', '552 5.3.4 Message size exceeds file system imposed limit', 'alone too_large'],
      ['data', '554 5.5.1 Error: no valid recipients', 'alone rejected'],
    ],
  },

  Exim: {
    [`${exim}/configure.default`]: [
      ['recipient', '550 Unknown user', 'suppressed'],
      ['recipient', '550 relay not permitted', 'account'],
      ['recipient', '550 Restricted characters in address', 'alone policy'],
      ['recipient', '550 Rejected for too many bad recipients', 'limit'],
      ['recipient', '550 rejected because 192.0.2.25 is in a black list at zen.spamhaus.org', 'alone policy'],
      ['end', '550 header syntax', 'alone content'],
      ['end', '550 This message contains a virus (EICAR).', 'alone policy'],
    ],
    [`${exim}/route.c`]: [['recipient', '550 Unrouteable address', 'suppressed']],
    [`${exim}/acl.c`]: [
      [
        'recipient',
        '550-Verification failed for <notice@hub.example.edu>\n550-No Such User Here\n550 Sender verify failed',
        'alone policy',
      ],
    ],
    [`${exim}/transports/appendfile.c`]: [['end', '552 mailbox is full', 'alone mailbox_full']],
    [`${exim}/smtp_in.c`]: [
      ['sender', '552 Message size exceeds maximum permitted', 'alone too_large'],
      ['sender', '452 Space shortage, please try later', 'server'],
      ['connect', '554 SMTP service not available', 'account'],
    ],
    [zoneMta]: [
      [
        'recipient',
        '550-"JunkMail rejected - mail.example.edu [192.0.2.25]:24706 is in an RBL: Blocked -\n550 see https://www.spamcop.net/bl.shtml?192.0.2.25"',
        'alone policy',
      ],
    ],
    'https://pastebin.com/c2hsSsdk and https://pastebin.com/Nprv6CmY (cPanel)': [
      [
        'recipient',
        '550 Domain example.edu has exceeded the max emails per hour (125/100 (125%)) allowed. Message discarded.',
        'limit',
      ],
    ],
  },

  Cisco: {
    [mails]: [['recipient', '550 #5.1.0 Address rejected.', 'alone rejected']],
    [zoneMta]: [
      [
        'recipient',
        '550 #5.7.1 Your access to submit messages to this e-mail system has been rejected.',
        'alone policy',
      ],
      [
        'connect',
        "554-mx.example.edu\n554 Your access to this mail system has been rejected due to the sending MTA's poor reputation.",
        'account',
      ],
    ],
    'github.com/sendgrid/docs (responses of recipients)': [
      ['recipient', '452 Too many recipients received this hour', 'limit'],
    ],
  },

  Proofpoint: {
    [zoneMta]: [
      ['connect', '554 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.25', 'account'],
      ['recipient', '550 5.7.0 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.25', 'alone policy'],
      ['recipient', '550 5.7.0 Local Policy Violation', 'alone policy'],
    ],
    [fieldManual]: [
      [
        'recipient',
        '550 5.7.1 Service unavailable; client [192.0.2.25] blocked using prs.proofpoint.com',
        'alone policy',
      ],
    ],
    'https://wiki.hbscloudservices.com/wiki/Limits_Rate_for_Sending_%26_Receiving (Essentials)': [
      ['recipient', '554 5.5.0 Relay Access denied', 'account'],
      ['recipient', '450 4.7.1 Sender address rejected', 'later greylisted'],
      ['recipient', '451 4.5.3 Too many recipients', 'slower'],
      ['end', '552 5.3.4 message file too big', 'alone too_large'],
    ],
  },

  Mimecast: {
    [sisimai('Mimecast')]: [
      ['recipient', '550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550', 'suppressed'],
      ['recipient', '451 Internal resources are temporarily unavailable', 'later greylisted'],
      ['recipient', '451 Recipient temporarily unavailable', 'later greylisted'],
      ['recipient', '550 SPF Sender Invalid - envelope rejected', 'alone policy'],
      ['end', '550 DKIM Sender Invalid - envelope rejected', 'alone policy'],
      ['recipient', '550 Local CT IP Reputation - (reject)', 'alone policy'],
      ['recipient', '550 Administrative prohibition envelope blocked', 'alone policy'],
      ['recipient', '550 Envelope blocked - User Entry', 'alone policy'],
      ['end', '550 Rejected by header based Anti-Spoofing policy', 'alone policy'],
      ['end', '554 Email rejected due to security policies', 'alone policy'],
      ['end', '554 Maximum email size exceeded', 'alone too_large'],
      ['recipient', '554 Host network not allowed', 'alone policy'],
      ['recipient', '550 Exceeding outbound thread limit', 'slower'],
      ['login', '535 Incorrect authentication data', 'account'],
    ],
  },

  'URL (智邦, Taiwan)': {
    'https://help.url.com.tw/1989.html': [
      ['recipient', '550 <ann@example.edu>: Recipient address rejected: User unknown', 'suppressed'],
      ['end', '552 The users mailfolder is over the allowed quota (size).', 'alone mailbox_full'],
      ['end', '552 sorry, that message size exceeds my databytes limit (#5.3.4)', 'alone too_large'],
      ['end', '550 Error: SB0102 - Rejected: SPAM', 'alone policy'],
      [
        'recipient',
        "553 your mailserver's ip is listed in blacklist. Blocked - see http://cbl.abuseat.org/lookup.cgi?ip=192.0.2.25",
        'alone policy',
      ],
    ],
    'http://help.url.com.tw/index.php/信箱常見退信訊息': [
      ['recipient', '550 unknown user.', 'suppressed'],
      ['recipient', '550 illegal sender.', 'alone policy'],
      ['recipient', '550 no spam mail.', 'limit'],
    ],
  },

  'Amazon SES': {
    'https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors.html': [
      ['end', '454 Throttling failure: Maximum sending rate exceeded.', 'slower'],
      ['end', '454 Throttling failure: Daily message quota exceeded.', 'limit'],
    ],
    [mails]: [['end', '554 Message rejected: Email address is not verified.', 'account']],
  },

  'servers of others': {
    [mails]: [
      ['recipient', '550 5.7.1 <ann@example.edu>: Recipient address rejected: User unknown', 'suppressed'],
      ['recipient', '525 5.7.13 Disabled recipient address', 'suppressed'],
      ['recipient', '551 not our customer', 'suppressed'],
      ['recipient', '550 Host does not accept mail', 'suppressed'],
      ['recipient', '550 5.1.1 Address rejected', 'suppressed'],
      [
        'recipient',
        "550 5.1.0 192.0.2.222 is not allowed to send from <example.net> per it's SPF Record.",
        'alone policy',
      ],
      ['recipient', '550 Denied by policy', 'alone policy'],
      ['recipient', '550 5.7.1 IP address blacklisted by recipient', 'alone policy'],
      ['recipient', '550 Connection frequency limited', 'slower'],
      ['recipient', '550 Ip frequency limited', 'limit'],
      ['recipient', '550 domain [example.com] mismatches client ip 192.0.2.225.', 'alone policy'],
      ['recipient', '550 5.7.1 Access denied', 'alone policy'],
      ['recipient', '550 Rejected', 'alone rejected'],
      ['recipient', '552 5.2.2 <ann@example.edu> Quota exceeded', 'alone mailbox_full'],
      ['recipient', '522 5.2.0 Delivery failed: Over quota', 'alone mailbox_full'],
      ['end', '554 5.4.6 Too many hops', 'alone rejected'],
      ['end', '550 5.6.9 improper use of 8-bit data in message header', 'alone content'],
    ],
    [zoneMta]: [
      [
        'recipient',
        '550 5.2.1 Mailbox unavailable. Your IP address 192.0.2.25 is blacklisted using SPAMHAUS-XBL. Details: https://www.spamhaus.org/query/ip/192.0.2.25',
        'alone policy',
      ],
      ['recipient', '550 https://www.spamhaus.org/query/ip/192.0.2.25', 'alone policy'],
      ['recipient', '550 5.1.1 Mail Refused - Address <ann@example.edu> Recipient Unknown', 'alone policy'],
      [
        'recipient',
        '552 5.1.1 Boite du destinataire pleine. Recipient overquota. OFR_417 [417]',
        'alone mailbox_full',
      ],
      ['recipient', '550 Too many invalid recipients', 'limit'],
    ],
    'https://www.alibabacloud.com/help/zh/directmail/latest/summary-of-common-email-return-codes-and-solutions':
      [
        ['end', '552 Monthly sending quota exceeded', 'limit'],
        ['end', '552 Not enough sending quota', 'limit'],
      ],
    'https://pastebin.com/02GNZpu4': [
      [
        'connect',
        "554 m1plded01-02.prod.mesa1.secureserver.net : DED : You've reached your daily relay quota",
        'limit',
      ],
    ],
    'https://support.prolateral.com/index.php?/Knowledgebase/Article/View/187/35/what-does-smtp-554-571-mean':
      [
        [
          'recipient',
          '554 5.7.1 <ann@example.edu>: Recipient address rejected: You have exceeded your Outmail quota.',
          'limit',
        ],
      ],
  },
}
