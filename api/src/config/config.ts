import { embeddingVariables, readEmbeddings, readRerank, rerankVariables } from './configured-endpoint.ts';
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

/** variables.json describes what each variable means. */
const serverVariables = {
  port: variable('PORT', wholeNumber(1, 65_535, 8080)),
  host: variable('HOST', text('127.0.0.1')),
  dataDir: variable('DATA_DIR', text('./data')),
  mongodbUri: variable('MONGODB_URI', mongodbUri),
  environment: variable('DESK_ENV', environmentName),
  publicUrl: variable('PUBLIC_URL', publicAddress),
  trustProxy: variable('TRUST_PROXY', proxies),
  drainSeconds: variable('DRAIN_SECONDS', wholeNumber(0, 300, 5)),
  secret: variable('SECRET', secretText(16)),
  setupToken: variable('SETUP_TOKEN', secretText(16)),
  opsToken: variable('OPS_TOKEN', secretText(16)),
  sessionDays: variable('SESSION_DAYS', wholeNumber(1, 3650, 30)),
  guestDays: variable('GUEST_DAYS', wholeNumber(1, 3650, 7)),
  undoDays: variable('UNDO_DAYS', wholeNumber(1, 365, 7)),
  auditDays: variable('AUDIT_DAYS', wholeNumber(1, 36_500, 365)),
  auditFile: variable('AUDIT_FILE', text('')),
  auditWebhookUrl: variable('AUDIT_WEBHOOK_URL', receiver),
  auditWebhookAuthorization: variable('AUDIT_WEBHOOK_AUTHORIZATION', authorization),
  auditWebhookSecret: variable('AUDIT_WEBHOOK_SECRET', signingSecret),
  handbook: variable('HANDBOOK', yesOrNo(true)),
  requireSignIn: variable('REQUIRE_SIGN_IN', yesOrNo(false)),
  registration: variable('REGISTRATION', oneOf(['open', 'closed'], 'open')),
  editors: variable('EDITORS', list),
  limitChat: variable('LIMIT_CHAT', wholeNumber(0, MOST, 60)),
  limitSignIn: variable('LIMIT_SIGN_IN', wholeNumber(0, MOST, 10)),
  limitSignUp: variable('LIMIT_SIGN_UP', {
    ...wholeNumberOrNull(MOST),
    shownDefault: 'twice `LIMIT_SIGN_IN`',
  }),
  limitPdf: variable('LIMIT_PDF', wholeNumber(0, MOST, 30)),
  limitGuestMb: variable('LIMIT_GUEST_MB', wholeNumber(0, MOST, 200)),
  limitAddressMb: variable('LIMIT_ADDRESS_MB', wholeNumber(0, MOST, 2000)),
  limitOwnerMb: variable('LIMIT_OWNER_MB', wholeNumber(0, MOST, 1000)),
  maxUploadMb: variable('MAX_UPLOAD_MB', wholeNumber(1, 1024, 20)),
  maxPages: variable('MAX_PAGES', wholeNumber(1, 100_000, 2000)),
  modelTimeout: variable('MODEL_TIMEOUT', wholeNumber(1, 280, 30)),
  limitModelTokens: variable('LIMIT_MODEL_TOKENS', wholeNumber(0, 999_999_999, 0)),
  releaseRetention: variable('RELEASE_RETENTION', wholeNumber(1, 3650, 90)),
  releaseTokens: variable('RELEASE_TOKENS', releaseTokens),
  releaseOrigins: variable('RELEASE_ORIGINS', origins),
  webhookOrigins: variable('WEBHOOK_ORIGINS', origins),
  productionApprovals: variable('PRODUCTION_APPROVALS', wholeNumber(1, 2, 1)),
  metricsPort: variable('METRICS_PORT', portOrNull),
  metricsToken: variable('METRICS_TOKEN', secretText(16)),
  otlpEndpoint: variable('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint),
  avatarUserUrl: variable('AVATAR_USER_URL', url),
  avatarBotUrl: variable('AVATAR_BOT_URL', url),
  serviceWorker: variable('SERVICE_WORKER', yesOrNo(true)),
  logLevel: variable('LOG_LEVEL', oneOf(logLevels, 'info')),
};

/** Every variable of the server, in the order of CONFIGURATION.md. */
export const allVariables: readonly NamedVariable<unknown>[] = [
  serverVariables,
  signInVariables,
  modelVariables,
  embeddingVariables,
  rerankVariables,
].flatMap((table) => Object.values<NamedVariable<unknown>>(table));
