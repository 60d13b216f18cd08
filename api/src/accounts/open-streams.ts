import type { Types } from 'mongoose';
import type { Right } from '../contract/rights.ts';
import type { DeskState } from '../http/desk-state.ts';
import { databaseDate } from '../store/database-clock.ts';
import type { AccountModels } from './account-models.ts';
import type { Rights } from './rights.ts';

interface OpenStream {
  sessionId: Types.ObjectId;
  userId: Types.ObjectId;
  right: Right | null;
  end(): void;
}

export type OpenStreams = ReturnType<typeof createOpenStreams>;

/** The event streams of accounts in this process, which end with the session and with the right to read them. */
export function createOpenStreams(
  { sessions, users }: Pick<AccountModels, 'sessions' | 'users'>,
  rights: Pick<Rights, 'has'>,
) {
  const open = new Set<OpenStream>();

  return {
    /**
     * A signal that aborts when the session ends, or the account is disabled, deleted or loses `right`. `left` aborts when the reader
     * has left.
     */
    follow(
      { sessionId, user }: NonNullable<DeskState['signedIn']>,
      right: Right | null,
      left: AbortSignal,
    ): AbortSignal {
      const ended = new AbortController();
      const stream = { sessionId, userId: user._id, right, end: () => ended.abort() };
      open.add(stream);
      left.addEventListener('abort', () => open.delete(stream), { once: true });
      if (left.aborted) open.delete(stream);
      return ended.signal;
    },

    /** Ends the streams that may no longer be read. Two queries for all of them; none if there are no streams. */
    async refresh(): Promise<void> {
      if (open.size === 0) return;
      const checked = [...open];
      const [live, found] = await Promise.all([
        sessions
          .find(
            { _id: { $in: checked.map(({ sessionId }) => sessionId) }, expiresAt: { $gt: databaseDate() } },
            { _id: 1 },
          )
          .lean(),
        users
          .find(
            { _id: { $in: checked.map(({ userId }) => userId) }, deletedAt: null, disabledAt: null },
            { roles: 1 },
          )
          .lean(),
      ]);
      const isLive = new Set(live.map(({ _id }) => _id.toHexString()));
      const holders = new Map(found.map((user) => [user._id.toHexString(), user]));
      for (const stream of checked) {
        const holder = holders.get(stream.userId.toHexString());
        const isAllowed = holder && (stream.right === null || rights.has(holder, stream.right));
        if (isAllowed && isLive.has(stream.sessionId.toHexString())) continue;
        open.delete(stream);
        stream.end();
      }
    },
  };
}
