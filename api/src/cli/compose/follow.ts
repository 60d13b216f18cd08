import { setTimeout as wait } from 'node:timers/promises';
import type { MoveInfo, PointerInfo } from '../../contract/compositions.ts';
import { CommandFailure } from '../failure.ts';
import type { CommandContext, Outcome } from './command-context.ts';
import { clock, shortId } from './format.ts';
import { needPointer } from './read-pointer.ts';

/** Interval of asking the server, in ms. */
const INTERVAL_MS = 3000;
/** Time after the end of the watch in which the server may be unreachable, in ms. */
const PATIENCE_MS = 60_000;

/** Waits until the server has watched the new composition. 1 if it is no longer live then. */
export async function follow(after: PointerInfo, context: CommandContext): Promise<Outcome> {
  const { say, now } = context;
  const until = after.watch?.until ?? '';
  context.progress(say('watching', { at: clock(until, now) }));
  let pointer = after;
  while (pointer.composition.id === after.composition.id && pointer.watch) {
    await wait(INTERVAL_MS);
    pointer = await readPatiently(pointer, Date.parse(until) + PATIENCE_MS, context);
  }
  if (pointer.composition.id === after.composition.id) {
    context.answer(pointer, () => say('watchedFine', { id: shortId(after.composition.id) }));
    return 0;
  }
  const { moves } = await context.client.get<{ moves: MoveInfo[] }>('/ops/history', { limit: 20 });
  const left = moves.find(({ from, composition }) => from === after.composition.id && composition !== from);
  const values = {
    id: shortId(after.composition.id),
    author: left?.author ?? '',
    reason: left?.reason ?? '',
    live: shortId(pointer.composition.id),
  };
  context.answer(pointer, () => say(left?.author === 'watch' ? 'watchRolledBack' : 'watchReplaced', values));
  return 1;
}

/** The server may be restarting meanwhile. */
async function readPatiently(known: PointerInfo, end: number, context: CommandContext): Promise<PointerInfo> {
  try {
    return await needPointer(context);
  } catch (cause) {
    if (!(cause instanceof CommandFailure) || cause.exitCode !== 3 || Date.now() > end) throw cause;
    return known;
  }
}
