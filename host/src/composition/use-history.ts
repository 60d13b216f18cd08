import type { MoveInfo } from 'api/contract/compositions';
import { useState } from 'react';
import type { OpsCalls, OpsFailure } from './ops-calls.ts';
import { useAnswer } from './use-answer.ts';

export interface History {
  /** Newest first; undefined until the first have come. */
  moves: MoveInfo[] | undefined;
  failure: OpsFailure | undefined;
  hasMore: boolean;
  isBusy: boolean;
  more(): Promise<void>;
  retry(): void;
}

interface Older {
  moves: MoveInfo[];
  nextCursor: string | null;
}

/** The newest moves, anew with every revision, and below them the older ones that were asked for: they never change. */
export function useHistory(calls: OpsCalls, revision: number | undefined): History {
  const newest = useAnswer(revision === undefined ? null : `${revision}`, () => calls.history());
  const [older, setOlder] = useState<Older>();
  const [failure, setFailure] = useState<OpsFailure>();
  const [isBusy, setBusy] = useState(false);
  const first = newest.data?.moves;
  const known = new Set(first?.map((move) => move.revision));
  const cursor = older ? older.nextCursor : (newest.data?.nextCursor ?? null);

  return {
    moves: first && [...first, ...(older?.moves ?? []).filter((move) => !known.has(move.revision))],
    failure: newest.failure ?? failure,
    hasMore: cursor !== null,
    isBusy,
    async more() {
      if (!cursor || isBusy) return;
      setBusy(true);
      setFailure(undefined);
      try {
        const page = await calls.history(cursor);
        // What stood on the first page slides off it as new moves come.
        setOlder((old) => ({
          moves: [...(old?.moves ?? first ?? []), ...page.moves],
          nextCursor: page.nextCursor,
        }));
      } catch (thrown) {
        setFailure(thrown as OpsFailure);
      }
      setBusy(false);
    },
    retry() {
      setFailure(undefined);
      void newest.ask();
    },
  };
}
