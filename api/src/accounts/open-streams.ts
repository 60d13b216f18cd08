import type { Types } from 'mongoose';
import type { Right } from '../contract/rights.ts';
import { onResponseEnd } from '../http/client-disconnect.ts';
import type { DeskContext } from '../http/desk-state.ts';
import { databaseDate } from '../store/database-clock.ts';
import { inSlices } from '../store/in-slices.ts';
import type { AccountModels } from './account-models.ts';
import { withGroupRoles } from './groups.ts';
import { type Guests, guestIdOf } from './guests.ts';
import type { Rights } from './rights.ts';
import type { Sessions } from './sessions.ts';

interface OpenStream {
  /** null: a guest's. */
  account: { sessionId: Types.ObjectId; userId: Types.ObjectId; right: Right | null } | null;
  owner: string;
  end(): void;
}

/** Streams that one query is about. */
const slice = 1000;

export type OpenStreams = ReturnType<typeof createOpenStreams>;

/**
 * The event streams in this process. They end with the session or the right to read them; streams of guests end when the guest has
 * signed in. One query checks many streams: otherwise idle streams would cause most queries of a process.
 */
export function createOpenStreams({
  models: { sessions, users, guests, groups },
  rights,
  ...deps
}: {
  models: Pick<AccountModels, 'sessions' | 'users' | 'guests' | 'groups'>;
  rights: Pick<Rights, 'has'>;
  sessions: Pick<Sessions, 'extend'>;
  guests: Pick<Guests, 'extend'>;
}) {
  const open = new Set<OpenStream>();

  const end = (stream: OpenStream) => {
    open.delete(stream);
    stream.end();
  };

  const ofAccounts = () =>
    [...open].flatMap((stream) => (stream.account ? { ...stream.account, stream } : []));

  /** Calls `work` with the open streams of some guests after the other. */
  async function inGuests(work: (streams: Map<string, OpenStream[]>) => Promise<void>): Promise<void> {
    const ofGuests = [...open].filter(({ account }) => account === null);
    const byGuest = [...Map.groupBy(ofGuests, ({ owner }) => guestIdOf(owner)!)];
    for (const some of inSlices(byGuest, slice)) await work(new Map(some));
  }

  return {
    /**
     * Returns a signal that aborts when the session ends, when the account is disabled, deleted or loses `right`, when an account has
     * adopted the guest, or when the response ends.
     */
    follow(ctx: DeskContext, right: Right | null): AbortSignal {
      const { owner, signedIn } = ctx.state;
      const ended = new AbortController();
      const account = signedIn ? { sessionId: signedIn.sessionId, userId: signedIn.user._id, right } : null;
      const stream = { account, owner, end: () => ended.abort() };
      open.add(stream);
      onResponseEnd(ctx, () => end(stream));
      return ended.signal;
    },

    /** Ends the streams of accounts that may no longer be read. Two queries for all of them; none if there are no streams. */
    async refresh(): Promise<void> {
      const checked = ofAccounts();
      if (checked.length === 0) return;
      const sessionIds = { $in: checked.map(({ sessionId }) => sessionId) };
      const userIds = { $in: checked.map(({ userId }) => userId) };
      const [live, found] = await Promise.all([
        sessions.find({ _id: sessionIds, expiresAt: { $gt: databaseDate() } }, { _id: 1 }).lean(),
        users.find({ _id: userIds, deletedAt: null, disabledAt: null }, { roles: 1, groups: 1 }).lean(),
      ]);
      const isLive = new Set(live.map(({ _id }) => _id.toHexString()));
      const withRoles = await withGroupRoles(groups, found);
      const holders = new Map(withRoles.map((user) => [user._id.toHexString(), user]));
      for (const { sessionId, userId, right, stream } of checked) {
        const holder = holders.get(userId.toHexString());
        const isAllowed = holder && (right === null || rights.has(holder, right));
        if (!isAllowed || !isLive.has(sessionId.toHexString())) end(stream);
      }
    },

    async refreshGuests(): Promise<void> {
      await inGuests(async (streams) => {
        const isAdopted = { _id: { $in: [...streams.keys()] }, adoptedBy: { $ne: null } };
        const adopted = await guests.find(isAdopted, { _id: 1 }).lean();
        for (const { _id } of adopted) for (const stream of streams.get(_id)!) end(stream);
      });
    },

    /** Extends sessions and guests that would expire while their streams are open. */
    async extend(): Promise<void> {
      const sessionIds = ofAccounts().map(({ sessionId }) => sessionId);
      if (sessionIds.length > 0) await deps.sessions.extend(sessionIds);
      await inGuests((streams) => deps.guests.extend([...streams.keys()]));
    },
  };
}
