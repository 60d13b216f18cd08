import type { ObjectId } from 'bson';
import { isNum, kindOf, typeName, type Value } from '../bson/values.ts';
import { StoreError, unsupported } from '../errors.ts';

type Parameters = Record<string, Value | undefined>;

const DAY = 86_400_000;
const ISO_FORMAT = '%Y-%m-%dT%H:%M:%S.%LZ';

/** `$dateToString`: %Y %m %d %H %M %S %L %j %u %z %%, in a time zone. */
export function dateToString({ date, format, timezone, onNull }: Parameters): Value | undefined {
  if (date === undefined || date === null) return onNull === undefined ? null : onNull;
  const zone = zoneOf(timezone);
  if (zone === null) return null;
  const wanted =
    format === undefined ? (timezone === undefined ? ISO_FORMAT : ISO_FORMAT.slice(0, -1)) : format;
  if (wanted === null) return null;
  if (typeof wanted !== 'string') {
    throw new StoreError(
      18533,
      `$dateToString requires that 'format' be a string, found: ${typeName(wanted)}`,
    );
  }
  const at = instantOf(date, '$dateToString');
  const offset = zone(at);
  const local = new Date(at + offset);
  return wanted.replace(/%(.?)/g, (_all, letter: string) => partOf(letter, local, offset));
}

const digits = (number: number, width: number) => String(number).padStart(width, '0');

function partOf(letter: string, local: Date, offset: number): string {
  switch (letter) {
    case 'Y':
      return digits(local.getUTCFullYear(), 4);
    case 'm':
      return digits(local.getUTCMonth() + 1, 2);
    case 'd':
      return digits(local.getUTCDate(), 2);
    case 'H':
      return digits(local.getUTCHours(), 2);
    case 'M':
      return digits(local.getUTCMinutes(), 2);
    case 'S':
      return digits(local.getUTCSeconds(), 2);
    case 'L':
      return digits(local.getUTCMilliseconds(), 3);
    case 'j':
      return digits(Math.floor((local.getTime() - Date.UTC(local.getUTCFullYear(), 0)) / DAY) + 1, 3);
    case 'u':
      return String(local.getUTCDay() || 7);
    case 'z':
      return offsetText(offset);
    case '%':
      return '%';
    default:
      throw new StoreError(18536, `Invalid format character '%${letter}' in format string`);
  }
}

function offsetText(offset: number): string {
  const minutes = Math.abs(Math.trunc(offset / 60_000));
  return `${offset < 0 ? '-' : '+'}${digits(Math.floor(minutes / 60), 2)}${digits(minutes % 60, 2)}`;
}

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** `$dateTrunc`: the start of the unit that a date lies in, in a time zone. Weeks begin on Sunday. */
export function dateTrunc({ date, unit, binSize, timezone, startOfWeek }: Parameters): Value | undefined {
  if (
    [date, unit, binSize === undefined ? 1 : binSize].some((value) => value === undefined || value === null)
  )
    return null;
  const zone = zoneOf(timezone);
  if (zone === null) return null;
  if (typeof unit !== 'string')
    throw new StoreError(5439013, `$dateTrunc requires 'unit' to be a string, found: ${typeName(unit)}`);
  const at = instantOf(date as Value, '$dateTrunc');
  const local = at + zone(at);
  const small = SMALL_UNITS[unit];
  const bins = binsOf(binSize);
  if (small) return new Date(at - mod(local - BINS_BEGIN, small * bins));
  if (bins !== 1) throw unsupported(`a binSize other than 1 for the unit '${unit}'`);
  return new Date(toInstant(startOf(unit, new Date(local), startOfWeek), zone));
}

function binsOf(binSize: Value | undefined): number {
  if (binSize === undefined) return 1;
  if (isNum(binSize) && Number.isInteger(Number(binSize)) && Number(binSize) > 0) return Number(binSize);
  throw unsupported('a binSize that is no positive integer');
}

/** Bins are counted from the year 2000 on, as MongoDB does. */
const BINS_BEGIN = Date.UTC(2000, 0);
const SMALL_UNITS: Record<string, number> = { millisecond: 1, second: 1000, minute: 60_000, hour: 3_600_000 };
const mod = (value: number, size: number) => ((value % size) + size) % size;

function startOf(unit: string, local: Date, startOfWeek: Value | undefined): number {
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth()];
  const day = local.getTime() - mod(local.getTime(), DAY);
  switch (unit) {
    case 'year':
      return Date.UTC(year, 0);
    case 'quarter':
      return Date.UTC(year, month - (month % 3));
    case 'month':
      return Date.UTC(year, month);
    case 'week':
      return day - mod(local.getUTCDay() - firstWeekday(startOfWeek), 7) * DAY;
    case 'day':
      return day;
    default:
      throw new StoreError(9, `unknown time unit value: ${unit}`);
  }
}

function firstWeekday(startOfWeek: Value | undefined): number {
  if (startOfWeek === undefined) return 0;
  const wanted = String(startOfWeek).toLowerCase();
  const index = DAYS.findIndex((day) => day === wanted || (wanted.length === 3 && day.startsWith(wanted)));
  if (index < 0) throw new StoreError(9, `unknown day of week value: ${String(startOfWeek)}`);
  return index;
}

/** What a clock in the zone shows ahead of UTC at an instant, in ms. */
type Zone = (instant: number) => number;

/** The instant of a local time: the earlier one where the clock shows it twice, moved on where it skips it. */
function toInstant(local: number, zone: Zone): number {
  const before = local - zone(local - DAY);
  if (before + zone(before) === local) return before;
  const after = local - zone(local + DAY);
  return after + zone(after) === local ? after : before;
}

function instantOf(value: Value, name: string): number {
  if (value instanceof Date) return value.getTime();
  if (kindOf(value) === 'objectId') return (value as ObjectId).getTimestamp().getTime();
  throw new StoreError(16006, `can't convert from BSON type ${typeName(value)} to Date in ${name}`);
}

/** null where the zone's expression is null or missing in the document. */
function zoneOf(value: Value | undefined): Zone | null {
  if (value === undefined) return () => 0;
  if (value === null) return null;
  if (typeof value !== 'string') {
    throw new StoreError(40517, `timezone must evaluate to a string, found ${typeName(value)}`);
  }
  const offset = /^([+-])(\d\d):?(\d\d)?$/.exec(value);
  if (!offset) return namedZone(value);
  const [, sign, hours, minutes = '00'] = offset;
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return () => ms;
}

const zones = new Map<string, Zone>();
/** Clocks are changed at quarters of an hour only. */
const QUARTER = 900_000;
const MAX_REMEMBERED = 10_000;

function namedZone(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const clock = clockOf(name);
  const offsets = new Map<number, number>();
  const zone: Zone = (instant) => {
    const quarter = Math.floor(instant / QUARTER);
    let offset = offsets.get(quarter);
    if (offset === undefined) {
      offset = offsetAt(clock, quarter * QUARTER);
      if (offsets.size >= MAX_REMEMBERED) offsets.clear();
      offsets.set(quarter, offset);
    }
    return offset;
  };
  zones.set(name, zone);
  return zone;
}

function clockOf(name: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw new StoreError(40485, `unrecognized time zone identifier: "${name}"`);
  }
}

function offsetAt(clock: Intl.DateTimeFormat, instant: number): number {
  const parts = Object.fromEntries(clock.formatToParts(instant).map(({ type, value }) => [type, value]));
  const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
  const local = new Date(0);
  local.setUTCFullYear(year, Number(parts.month) - 1, Number(parts.day));
  local.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second));
  return local.getTime() - Math.floor(instant / 1000) * 1000;
}
