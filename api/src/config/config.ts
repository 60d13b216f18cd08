import { embeddingVariables, readEmbeddings } from './configured-embeddings.ts';
import { readRerank, rerankVariables } from './configured-endpoint.ts';
import { modelVariables, readModels } from './configured-models.ts';
import { readSignIn, signInVariables } from './configured-sign-in.ts';
import { type Environment, lookUp } from './environment.ts';
import {
  authorization,
  endpoint,
  environmentName,
  list,
  mongodbUri,
  type NamedVariable,
  oneOf,
  origins,
  portOrNull,
  proxies,
  publicAddress,
  receiver,
  releaseTokens,
  secretText,
  signingSecret,
  text,
  url,
  type ValuesOf,
  type Variable,
  variable,
  wholeNumber,
  wholeNumberOrNull,
  yesOrNo,
} from './variable.ts';

/** The whole configuration, read once at the start; see CONFIGURATION.md. */
export type Config = ReturnType<typeof readConfig>;

export type LogLevel = (typeof logLevels)[number];

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * Reads the environment. An empty value counts as unset.
 * @throws Error that lists every invalid value as `PORT must be 1–65535, got "x"`, without secrets.
 */
export function readConfig(env: Environment) {
  const problems: string[] = [];
  const find = (name: string, secret: boolean) => lookUp(env, name, { secret, problems });
  function read<T>(variable: NamedVariable<T>): T {
    const before = problems.length;
    const { value } = find(variable.name, variable.secret === true);
    const parsed = variable.schema.safeParse(value);
    if (parsed.success) return parsed.data;
    if (problems.length === before)
      problems.push(`${variable.name} must be ${variable.expected}, got ${quoted(variable, value)}`);
    return undefined as T;
  }
  const readAll = <Table extends Record<string, NamedVariable<unknown>>>(table: Table) =>
    Object.fromEntries(
      Object.entries(table).map(([key, variable]) => [key, read(variable)]),
    ) as ValuesOf<Table>;
  const values = readAll(serverVariables);
  const config = {
    ...values,
    limitSignUp: values.limitSignUp ?? Math.min(MOST, 2 * values.limitSignIn),
    /** The first is the default; empty: answers use the knowledge base only. */
    models: readModels(readAll(modelVariables), (name) => find(name, true).value, problems),
    /** null: passages are found by their words only. */
    embeddings: readEmbeddings(readAll(embeddingVariables), problems),
    /** null: the desk judges by itself which passages answer. */
    rerank: readRerank(readAll(rerankVariables), problems),
    signIn: readSignIn(readAll(signInVariables), problems),
  };
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return config;
}

/** Hides secrets, and addresses that may contain a password. */
function quoted({ secret }: Variable<unknown>, value = ''): string {
  return secret || value.includes('@')
    ? `a value of ${value.length} characters`
    : JSON.stringify(value.slice(0, 200));
}

const MOST = 1_000_000;

const serverVariables = {
  port: variable('PORT', wholeNumber(1, 65_535, 8080), 'Port to listen on.'),
  host: variable('HOST', text('127.0.0.1'), 'Address to listen on; `0.0.0.0` for all interfaces.'),
  dataDir: variable('DATA_DIR', text('./data'), 'Folder of all data, used by one process at a time.'),
  mongodbUri: variable(
    'MONGODB_URI',
    mongodbUri,
    'A MongoDB ≥ 5 instead of the embedded store in `DATA_DIR`. Any number of API processes can then use it.',
  ),
  environment: variable(
    'DESK_ENV',
    environmentName,
    'Environment that this process serves and changes. One database can hold several, each with its own live composition, history and canaries.',
  ),
  publicUrl: variable(
    'PUBLIC_URL',
    publicAddress,
    'Public address, if there is a proxy. A path in it is added to every address, cookie and redirect. If unset, the address is that of each request.',
  ),
  trustProxy: variable(
    'TRUST_PROXY',
    proxies,
    'Number of proxies whose `X-Forwarded-*` headers are trusted.',
  ),
  drainSeconds: variable(
    'DRAIN_SECONDS',
    wholeNumber(0, 300, 5),
    'After SIGTERM, seconds in which `/readyz` is 503 and requests are still served, so that proxies send them to other processes. Ctrl-C does not wait.',
  ),
  secret: variable(
    'SECRET',
    secretText(16),
    "Signs guests' cookies. If unset, it is generated once and kept in the store.",
  ),
  setupToken: variable(
    'SETUP_TOKEN',
    secretText(16),
    'Token of the link `/chatbot/setup#link=…` that creates the administrator of a new desk. If unset, each start prints the link until there is one, and on a desk without `PUBLIC_URL` and `TRUST_PROXY` the first sign-up from the machine itself becomes the administrator.',
  ),
  opsToken: variable(
    'OPS_TOKEN',
    secretText(16),
    'The first token of operations, with the scope `admin`, valid in every process on the store. If unset, it is generated and written to `DATA_DIR/ops-token` (mode 600). `compose tokens` creates others.',
  ),
  sessionDays: variable(
    'SESSION_DAYS',
    wholeNumber(1, 3650, 30),
    'Days until a session ends after its last use.',
  ),
  guestDays: variable('GUEST_DAYS', wholeNumber(1, 3650, 7), 'Days that data of guests is kept.'),
  undoDays: variable('UNDO_DAYS', wholeNumber(1, 365, 7), 'Days in which a deletion can be undone.'),
  auditDays: variable(
    'AUDIT_DAYS',
    wholeNumber(1, 36_500, 365),
    'Days that entries of the audit log are kept.',
  ),
  auditFile: variable(
    'AUDIT_FILE',
    text(''),
    'File to which each process appends its entries of the audit log as lines of JSON.',
  ),
  auditWebhookUrl: variable(
    'AUDIT_WEBHOOK_URL',
    receiver,
    'Address to which one of the processes sends the audit log in order, as lines of JSON. See deploy/MONITORING.md.',
  ),
  auditWebhookAuthorization: variable(
    'AUDIT_WEBHOOK_AUTHORIZATION',
    authorization,
    'The header `Authorization` of these requests, such as `Bearer …`.',
  ),
  auditWebhookSecret: variable(
    'AUDIT_WEBHOOK_SECRET',
    signingSecret,
    'Signs these requests as https://www.standardwebhooks.com describes.',
  ),
  handbook: variable(
    'HANDBOOK',
    yesOrNo(true),
    "If off, the product's handbook is not used for answers or suggestions.",
  ),
  requireSignIn: variable('REQUIRE_SIGN_IN', yesOrNo(false), 'If true, asking requires an account.'),
  registration: variable(
    'REGISTRATION',
    oneOf(['open', 'closed'], 'open'),
    'If closed, nobody can create an account.',
  ),
  editors: variable(
    'EDITORS',
    list,
    'Names of existing accounts that become editors of the knowledge base at the next start; each name is applied once. `*` is everyone signed in, for the knowledge base alone. Afterwards: `npm run accounts -- editor add`, `list`, `remove`.',
  ),
  limitChat: variable('LIMIT_CHAT', wholeNumber(0, MOST, 60), 'Questions per minute; 0: no limit.'),
  limitSignIn: variable('LIMIT_SIGN_IN', wholeNumber(0, MOST, 10), 'Sign-ins per minute; 0: no limit.'),
  limitSignUp: variable(
    'LIMIT_SIGN_UP',
    { ...wholeNumberOrNull(MOST), shownDefault: 'twice `LIMIT_SIGN_IN`' },
    'New accounts per minute, from all addresses together; 0: no limit.',
  ),
  limitPdf: variable('LIMIT_PDF', wholeNumber(0, MOST, 30), 'PDF reports per minute; 0: no limit.'),
  limitGuestMb: variable(
    'LIMIT_GUEST_MB',
    wholeNumber(0, MOST, 200),
    'MB per day that a guest, and all guests of an address, may upload and import; 0: no limit.',
  ),
  limitAddressMb: variable(
    'LIMIT_ADDRESS_MB',
    wholeNumber(0, MOST, 2000),
    'The same for all users of an address.',
  ),
  limitOwnerMb: variable(
    'LIMIT_OWNER_MB',
    wholeNumber(0, MOST, 1000),
    'MB of files that one owner may keep, and that an account may upload and import per day; 0: no limit.',
  ),
  maxUploadMb: variable(
    'MAX_UPLOAD_MB',
    wholeNumber(1, 1024, 20),
    'MB of all files of one question together.',
  ),
  maxPages: variable('MAX_PAGES', wholeNumber(1, 100_000, 2000), 'Pages of a PDF.'),
  modelTimeout: variable(
    'MODEL_TIMEOUT',
    wholeNumber(1, 280, 30),
    "Seconds until a model's first token; then the knowledge base answers.",
  ),
  limitModelTokens: variable(
    'LIMIT_MODEL_TOKENS',
    wholeNumber(0, 999_999_999, 0),
    'Model tokens per visitor and day (UTC); 0: no limit.',
  ),
  releaseRetention: variable(
    'RELEASE_RETENTION',
    wholeNumber(1, 3650, 90),
    'Days that a release is kept after the last composition that names it.',
  ),
  releaseTokens: variable(
    'RELEASE_TOKENS',
    releaseTokens,
    'Tokens with which teams publish their own remote. Tokens with the scope `release:mfe-chat` (`compose tokens`) need no restart.',
  ),
  releaseOrigins: variable(
    'RELEASE_ORIGINS',
    origins,
    'Other origins from which releases and overrides may be loaded.',
  ),
  webhookOrigins: variable(
    'WEBHOOK_ORIGINS',
    origins,
    'Origins that webhooks may be sent to (`compose webhooks`).',
  ),
  productionApprovals: variable(
    'PRODUCTION_APPROVALS',
    wholeNumber(1, 2, 1),
    '2: a change of production waits until a second, different token approves it (`compose approve`).',
  ),
  metricsPort: variable(
    'METRICS_PORT',
    portOrNull,
    'Port on `HOST` that serves `/metrics` in the format of Prometheus, and nothing else.',
  ),
  metricsToken: variable(
    'METRICS_TOKEN',
    secretText(16),
    'Token that `/metrics` requires as `Authorization: Bearer …`. Without `METRICS_PORT` it is served on `PORT`; without both there are no metrics.',
  ),
  otlpEndpoint: variable(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    endpoint,
    'Address of an OpenTelemetry collector, to which traces are sent as OTLP over HTTP: `http://127.0.0.1:4318`. Other variables of OpenTelemetry, such as `OTEL_TRACES_SAMPLER` and `OTEL_EXPORTER_OTLP_HEADERS`, apply as well.',
  ),
  avatarUserUrl: variable(
    'AVATAR_USER_URL',
    url,
    "Address of the visitor's picture, instead of the bundled one.",
  ),
  avatarBotUrl: variable('AVATAR_BOT_URL', url, "Address of the desk's picture, instead of the bundled one."),
  serviceWorker: variable(
    'SERVICE_WORKER',
    yesOrNo(true),
    'Whether pages open while the server cannot be reached. If off, browsers remove what they have stored for it with their next visit.',
  ),
  logLevel: variable('LOG_LEVEL', oneOf(logLevels, 'info'), 'Least severe level that is logged.'),
};

/** Every variable of the server, in the order of CONFIGURATION.md. */
export const allVariables: readonly NamedVariable<unknown>[] = [
  serverVariables,
  signInVariables,
  modelVariables,
  embeddingVariables,
  rerankVariables,
].flatMap((table) => Object.values<NamedVariable<unknown>>(table));
