import { limits } from '../../contract/limits.ts'
import { trustedProxies } from '../address-parsers.ts'
import { certificates, headerList, headerText, privateKey } from '../key-parsers.ts'
import { baseUrl, flag, hostAndPort, oneOf, postgresUrl, ratio, text, whole } from '../parser.ts'
import { countedProxies, issuedSecret, notZero, strongPassword } from '../rules.ts'
import type { Setting } from '../setting.ts'

/** What every process needs. */
export const processSettings = {
  NODE_ENV: {
    means:
      'In `production`, settings for testing only, weak secrets and unencrypted addresses are rejected, ' +
      'all in one report. The Docker image sets it.',
    kind: oneOf('production', 'development', 'test'),
    example: 'production',
    readBy: ['api', 'worker', 'cli'],
  },
  LOG_LEVEL: {
    means: 'The minimum level of logged lines.',
    kind: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    readBy: ['api', 'worker'],
  },
  METRICS_PORT: {
    means:
      "Port of a process' `/metrics` and `/livez`, on HOST; without it, the process serves neither on a port of its " +
      'own. Processes on one machine need different ports, and callers of the API must not reach them.',
    kind: whole(0, 65_535),
    example: '9464',
    readBy: ['api', 'worker'],
  },
} satisfies Record<string, Setting>

/** Where traces go, by the names that OpenTelemetry gives these settings. */
export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    means:
      'Where to send traces, as OTLP in JSON over HTTP: `/v1/traces` is appended. Without it nothing is recorded, and ' +
      'the SDK of OpenTelemetry is not loaded.',
    kind: baseUrl,
    example: 'http://127.0.0.1:4318',
    readBy: ['api', 'worker'],
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    means:
      'Headers of these requests, as for the key of a service: `name=value,name=value`, percent-encoded.',
    kind: headerList,
    secret: true,
    production: issuedSecret,
    readBy: ['api', 'worker'],
  },
  OTEL_TRACES_SAMPLER_ARG: {
    means:
      'The share of the traces started by Carillon to record. A trace started by a caller is recorded if ' +
      'the caller records it.',
    kind: ratio,
    default: '1',
    readBy: ['api', 'worker'],
  },
} satisfies Record<string, Setting>

/** Where the state of every message is. */
export const postgresSettings = {
  DATABASE_URL: {
    means: 'The database, which holds the state of every message.',
    kind: postgresUrl,
    example: 'postgres://carillon@127.0.0.1:5432/carillon',
    required: true,
    secret: true,
    production: strongPassword,
    readBy: ['api', 'worker', 'cli'],
  },
  DB_POOL_SIZE: {
    means: 'The maximum number of connections per process; the command line opens two.',
    kind: whole(2, 500),
    unit: 'connections',
    default: '20',
    readBy: ['api', 'worker'],
  },
} satisfies Record<string, Setting>

/** What schedules the runs. */
export const temporalSettings = {
  TEMPORAL_ADDRESS: {
    means: 'The frontend of Temporal, which schedules the runs.',
    kind: hostAndPort,
    default: '127.0.0.1:7233',
    readBy: ['api', 'worker'],
  },
  TEMPORAL_NAMESPACE: {
    means: 'The namespace of the runs.',
    kind: text('the name of a namespace'),
    default: 'default',
    readBy: ['api', 'worker'],
  },
  TEMPORAL_CACHED_RUNS: {
    means:
      'Runs that a worker keeps in memory. It reads another one back from its history when that goes on, which costs 3 ' +
      'to 9 ms of CPU.',
    kind: whole(0, 100_000),
    unit: 'runs',
    default: '500',
    readBy: ['worker'],
  },
  TEMPORAL_TLS: {
    means: 'Encrypt the connections to Temporal. The TEMPORAL_TLS_… settings and an API key require it.',
    kind: flag,
    default: 'false',
    readBy: ['api', 'worker'],
  },
  TEMPORAL_TLS_CA: {
    means: "The authorities that may sign the server's certificate; without them, those of the system.",
    kind: certificates,
    file: true,
    unquoted: true,
    readBy: ['api', 'worker'],
  },
  TEMPORAL_TLS_SERVER_NAME: {
    means: "The name that the server's certificate must be for, if it is not the host of TEMPORAL_ADDRESS.",
    kind: text('a host name'),
    readBy: ['api', 'worker'],
  },
  TEMPORAL_TLS_CERT: {
    means: "Carillon's own certificate, if the server requires one (mutual TLS).",
    kind: certificates,
    neededWith: ['TEMPORAL_TLS_KEY'],
    file: true,
    unquoted: true,
    readBy: ['api', 'worker'],
  },
  TEMPORAL_TLS_KEY: {
    means: 'The key of that certificate.',
    kind: privateKey,
    neededWith: ['TEMPORAL_TLS_CERT'],
    secret: true,
    readBy: ['api', 'worker'],
  },
  TEMPORAL_API_KEY: {
    means: 'The API key, if the server or Temporal Cloud requires one.',
    kind: headerText,
    secret: true,
    production: issuedSecret,
    readBy: ['api', 'worker'],
  },
  RESTART_WEDGED_RUNS: {
    means:
      'End a run that cannot be replayed, usually after an upgrade, so that it restarts from its row: ' +
      'after ten minutes and twenty failed tasks, once no worker of another release is left.',
    kind: flag,
    default: 'true',
    readBy: ['worker'],
  },
} satisfies Record<string, Setting>

/** Where the API listens, and what a caller may take of it. */
export const apiSettings = {
  HOST: {
    means: 'The address on which the API and the metrics listen. Terminate TLS in front of the API.',
    kind: text('an address of this machine'),
    default: '127.0.0.1',
    readBy: ['api', 'worker'],
  },
  PORT: {
    means: 'The port of the API; 0 takes any free one.',
    kind: whole(0, 65_535),
    default: '3000',
    readBy: ['api'],
  },
  TRUST_PROXY: {
    means:
      'The proxies whose `X-Forwarded-*` headers to trust. A number counts the proxies between the ' +
      'callers and the API: with `1`, the caller is the last address in `X-Forwarded-For`; callers must ' +
      'then not reach the API past the proxies. Addresses and networks (`10.0.0.0/8`, `loopback`) name ' +
      'the proxies themselves. `true` trusts every caller. With `false`, all callers behind a proxy who ' +
      'have no credential, as on the pages of links in mails, share one rate limit.',
    kind: trustedProxies,
    default: 'false',
    production: countedProxies,
    readBy: ['api'],
  },
  RATE_LIMIT_PER_MINUTE: {
    means:
      'The requests of one caller to `/v1/auth/`, `/v1/events/`, `/v1/subjects/` and `/v1/me/` together. 0 is no ' +
      'limit, for tests and benchmarks.',
    kind: whole(0, limits.rateMax),
    unit: 'requests per minute and caller',
    default: '60',
    production: notZero,
    readBy: ['api'],
  },
  RATE_LIMIT_PER_SECOND: {
    means:
      'The requests of one caller to each process everywhere else, sustained; bursts of ten times as ' +
      'many. 0 is no limit, for tests and benchmarks.',
    kind: whole(0, limits.ratePerSecondMax),
    unit: 'requests per second, caller and process',
    default: '100',
    production: notZero,
    readBy: ['api'],
  },
  RENDER_STEPS_PER_MINUTE: {
    means:
      'The rendering steps that all texts of a unit share across all processes: 5,000 are about 20 ms of ' +
      'CPU time. A unit that has used them waits. 0 is no limit, for tests and benchmarks.',
    kind: whole(0, limits.renderStepsPerMinuteMax),
    unit: 'steps per minute and unit',
    default: '1000000',
    production: notZero,
    readBy: ['api', 'worker'],
  },
} satisfies Record<string, Setting>
