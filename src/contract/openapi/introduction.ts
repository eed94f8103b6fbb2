/**
 * The introduction of the API's description, in Markdown: how to authenticate, a first call, the pages about each
 * resource (docs/api, which the service shows at /docs/api), and what holds for every operation.
 */
export const introduction = `
A durable notification hub: submit a message and its audience; Carillon checks consent and quota, obtains approval, sends
at the scheduled time and accounts for every recipient. [A page for each resource](/docs/api) has its purpose, its rules
and requests to copy.

## Authentication

- **Systems** send a producer key: \`Authorization: Bearer hub_<id>_<secret>\`. A system administrator issues it for one
  unit.
- **People** sign in: [open the sign-in](/v1/auth/login?returnTo=/docs/), and this page sends their session with each
  request. A key that is given here takes precedence.
- **Recipients** send an ID token of the chat provider, and **events** and **webhooks** are signed: see
  [recipients](/docs/api/recipients), [events](/docs/api/events) and [webhooks](/docs/api/webhooks).

## A first call

\`\`\`sh
BASE=https://hub.example.edu   # the address of this page
KEY=hub_…                      # your producer key

curl -s "$BASE/v1/categories" -H "Authorization: Bearer $KEY"
\`\`\`

It lists the enabled categories. Next, [your first program](/docs/api/first-program) counts whom a message would reach, and
sends it once a person or the automatic check has approved it.

## What holds for every operation

Every error has the same body, \`{"error": {"code", "message", "details"?}}\`; branch on its
[code](/docs/api/errors).

Responses and callbacks may get further fields: ignore those that you do not know. Schemas whose name ends in Output are
the form in responses of what requests contain. Of the fields under \`x-exactly-one-of\` and \`x-at-most-one-of\` one is given
at the same time, and those listed behind a field only together with it.

Unknown fields and query parameters are rejected (400 validation_error); where no body is needed, {} is as good as none.
Times are ISO 8601 with an offset of at most 14:00, or Z, and may omit the seconds. Ids of Carillon are compared without
regard to case; nothing else is. An empty list in an audience, an empty en and an empty unitId count as omitted. A path
with a method that it does not have fails with 405 method_not_allowed and Allow, before any other check. HEAD is answered
like GET, without the body.
`.trim()
