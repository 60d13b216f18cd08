import { InvalidArgumentError, Option } from 'commander';
import { WebhookEvent } from '../../../contract/webhooks.ts';
import type { TextKey } from '../../../i18n/texts-of.ts';
import type { Say } from './format.ts';

interface About {
  say: Say;
  /** The option or argument, for messages. */
  name: string;
  /** Earlier values of an option that may be repeated. */
  before?: string[] | undefined;
}

/** Parses a value. */
export type Parser = (given: string, about: About) => unknown;

interface OptionRow {
  flags: string;
  help: TextKey<'cli-compose'>;
  parser?: Parser;
  isRequired?: boolean;
}

const MAX_EXPIRY_DAYS = 3650;
const MAX_STEP_DAYS = 30;

/** All options of single commands; the options of every command are added elsewhere. */
const table = {
  allowWeakerGuard: { flags: '--allow-weaker-guard', help: 'helpAllowWeakerGuard' },
  composition: { flags: '--composition <id>', help: 'helpOverrideComposition' },
  cursor: { flags: '--cursor <cursor>', help: 'helpCursor' },
  dryRun: { flags: '--dry-run', help: 'helpDryRun' },
  events: { flags: '--events <list>', help: 'helpEvents', parser: events },
  every: { flags: '--every <duration>', help: 'helpEvery', parser: seconds(MAX_STEP_DAYS) },
  expires: { flags: '--expires <duration>', help: 'helpExpires', parser: seconds(MAX_EXPIRY_DAYS) },
  force: { flags: '--force', help: 'helpForce' },
  from: { flags: '--from <environment>', help: 'helpFrom', isRequired: true },
  fromToken: { flags: '--from-token <token>', help: 'helpFromToken' },
  healthMinutes: { flags: '--minutes <count>', help: 'helpHealthMinutes', parser: numberWithin(5, 10_080) },
  hours: { flags: '--hours <count>', help: 'helpHours', parser: numberWithin(1, 24) },
  ifRevision: {
    flags: '--if-revision <number>',
    help: 'helpIfRevision',
    parser: numberWithin(0, 999_999_999),
  },
  limit: { flags: '--limit <count>', help: 'helpLimit', parser: numberWithin(1, 100) },
  minPages: { flags: '--min-pages <count>', help: 'helpMinPages', parser: numberWithin(1, 1_000_000) },
  minutes: { flags: '--minutes <count>', help: 'helpMinutes', parser: numberWithin(1, 480) },
  name: { flags: '--name <name>', help: 'helpPreviewName' },
  reason: { flags: '--reason <text>', help: 'helpReason' },
  reasonRequired: { flags: '--reason <text>', help: 'helpReasonRequired', isRequired: true },
  scope: { flags: '--scope <scope>', help: 'helpScope', parser: scopes, isRequired: true },
  share: { flags: '--share <percent>', help: 'helpShareOption', parser: percent },
  smoke: { flags: '--smoke', help: 'helpSmoke' },
  steps: { flags: '--steps <list>', help: 'helpSteps', parser: steps },
  to: { flags: '--to <environment>', help: 'helpTo' },
  until: { flags: '--until <time>', help: 'helpUntil', parser: futureTime, isRequired: true },
  watch: { flags: '--watch', help: 'helpWatch' },
  watchMinutes: { flags: '--watch-minutes <count>', help: 'helpWatchMinutes', parser: numberWithin(1, 1440) },
  without: { flags: '--without <remote>', help: 'helpWithout', parser: several },
} satisfies Record<string, OptionRow>;

export type OptionName = keyof typeof table;

export function optionOf(option: OptionName, say: Say): Option {
  const { flags, help, parser, isRequired = false }: OptionRow = table[option];
  const made = new Option(flags, say(help)).makeOptionMandatory(isRequired);
  const name = flags.split(' ', 1)[0]!;
  return parser
    ? made.argParser<unknown>((given, before) => parser(given, { say, name, before: before as string[] }))
    : made;
}

/** Parses an option that may be repeated. */
function several(given: string, { before = [] }: About): string[] {
  return [...before, given];
}

function scopes(given: string, { before = [] }: About): string[] {
  return [...before, ...given.split(',')];
}

/** Parses a percentage of visitors; fractions are allowed. */
export function percent(given: string, about: About): number {
  return numberWithin(0, 100, /^\d{1,3}(\.\d{1,2})? ?%?$/)(given, about);
}

/** Parses `1,5,25,100`. */
function steps(given: string, { say }: About): number[] {
  const shares = given.split(',').map((step) => step.trim().replace(/ ?%$/, ''));
  const values = shares.map((step) => (/^\d{1,3}(\.\d{1,2})?$/.test(step) ? Number(step) : Number.NaN));
  const isRising = values.every((value, at) => value > (values[at - 1] ?? 0) && value <= 100);
  if (isRising && values[0]! < 100 && values.length <= 20) return values;
  throw new InvalidArgumentError(say('badSteps', { given }));
}

/** Parses `2026-12-01T08:00`, in this machine's time zone unless it says another, or `36h` from now. */
function futureTime(given: string, about: About): Date {
  const isDuration = /^\d+ ?[smhd]$/.test(given);
  const isTime = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:?\d\d)?)?$/.test(given);
  // A date alone would be UTC.
  const time = given.length === 10 ? `${given}T00:00` : given;
  const at = isDuration
    ? new Date(Date.now() + seconds(MAX_STEP_DAYS)(given, about) * 1000)
    : new Date(isTime ? time : Number.NaN);
  if (at.getTime() > Date.now()) return at;
  throw new InvalidArgumentError(about.say('badTime', { name: about.name, given }));
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Parses a duration such as `10m`, in seconds. */
function seconds(days: number) {
  return (given: string, { say, name }: About): number => {
    const [, count = '', unit = ''] = /^(\d{1,7}) ?([smhd])$/.exec(given) ?? [];
    const value = Number(count) * (SECONDS[unit] ?? 0);
    if (value >= 1 && value <= days * 86_400) return value;
    throw new InvalidArgumentError(say('badDuration', { name, given, days }));
  };
}

function numberWithin(min: number, max: number, form = /^\d{1,9}$/) {
  return (given: string, { say, name }: About): number => {
    const value = form.test(given) ? Number.parseFloat(given) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(say('badNumber', { name, min, max, given }));
  };
}

function events(given: string, { say }: About): WebhookEvent[] {
  return given.split(',').map((text) => {
    const event = WebhookEvent.options.find((known) => known === text.trim());
    if (event) return event;
    const names = WebhookEvent.options.join(', ');
    throw new InvalidArgumentError(say('badEvent', { given: text.trim(), names }));
  });
}
