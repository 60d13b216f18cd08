import { LRUCache } from 'lru-cache';
import type { Types } from 'mongoose';
import type { Config } from '../config/config.ts';
import { databaseDate, databaseNow } from '../store/database-clock.ts';
import { secureDelete } from '../store/secure-delete.ts';
import { unlessDuplicate } from '../store/store-failure.ts';
import type { AccountModels, GuestDocument } from './account-models.ts';

const day = 86_400_000;

/** Minimum interval between updates of a guest's last use, in ms. */
const touchEveryMs = 3_600_000;

/** For this time a guest that was just read is not read again, in ms: a request recognises its guest, then stores something. */
const knownForMs = 1000;
const knownGuests = 10_000;
/** Expired guests per read. */
const slice = 1000;

export function guestOwner(guestId: string): string {
  return `guest:${guestId}`;
}

/** The guest of an owner `guest:<id>`; null for an account. */
export function guestIdOf(owner: string): string | null {
  return owner.startsWith('guest:') ? owner.slice('guest:'.length) : null;
}

export function userOwner(userId: Types.ObjectId): string {
  return `user:${userId.toHexString()}`;
}

export type Guests = ReturnType<typeof createGuests>;

export function createGuests(
  { guests }: AccountModels,
  owned: OwnedData,
  /** `guestDays` is read each time, since administrators may change it. */
  config: Readonly<Pick<Config, 'guestDays'>>,
) {
  const freshDates = () => {
    const lastUsedAt = databaseDate();
    return { lastUsedAt, expiresAt: new Date(lastUsedAt.getTime() + config.guestDays * day) };
  };
  const known = new LRUCache<string, true>({ max: knownGuests, ttl: knownForMs });
  const isStale = (guest: GuestDocument) => databaseNow() - guest.lastUsedAt.getTime() > touchEveryMs;
  const transfer = (guest: GuestDocument) =>
    guest.adoptedBy ? owned.transfer(guestOwner(guest._id), userOwner(guest.adoptedBy)) : Promise.resolve();

  return {
    /** Whether a cookie is still valid for a guest: not after an account has adopted the guest. */
    async recognise(guestId: string): Promise<boolean> {
      const guest = await guests.findById(guestId).lean();
      if (guest?.adoptedBy) return false;
      if (guest && isStale(guest)) await guests.updateOne({ _id: guestId }, { $set: freshDates() });
      if (guest) known.set(guestId, true);
      return true;
    },

    /** Extends the time for which the data of guests stays. */
    async extend(ids: readonly string[]): Promise<void> {
      await guests.updateMany({ _id: { $in: ids } }, { $set: freshDates() });
    },

    /** To be called before an owner writes: a guest's data is found at its expiry by its document. */
    async ensureStored(owner: string): Promise<void> {
      const _id = guestIdOf(owner);
      if (_id === null || known.has(_id)) return;
      const guest = await guests.findById(_id).lean();
      if (guest && !isStale(guest)) return;
      if (guest) {
        await guests.updateOne({ _id }, { $set: freshDates() });
        return;
      }
      // Of two concurrent first questions, the other one may have created the document.
      await unlessDuplicate(guests.create({ _id, ...freshDates() }));
    },

    /** Transfers everything a guest owns to an account. After a crash, `resume` completes it. */
    async adopt(guestId: string, userId: Types.ObjectId): Promise<void> {
      const $set = { adoptedBy: userId };
      const guest = await guests
        .findOneAndUpdate({ _id: guestId, adoptedBy: null }, { $set }, { returnDocument: 'after' })
        .lean();
      if (guest) await transfer(guest);
    },

    /** The account that has taken over the guest `owner`, after transferring data written since; otherwise `owner`. */
    async ownerNow(owner: string): Promise<string> {
      const guestId = guestIdOf(owner);
      const guest = guestId === null ? null : await guests.findById(guestId).lean();
      if (!guest?.adoptedBy) return owner;
      await transfer(guest);
      return userOwner(guest.adoptedBy);
    },

    async resume(): Promise<void> {
      const adopted = await guests.find({ adoptedBy: { $ne: null } }).lean();
      for (const guest of adopted) await transfer(guest);
    },

    /** Deletes the data of guests not seen for GUEST_DAYS. */
    async sweep(): Promise<void> {
      // The time may have been shortened: nobody stays longer than the current one from now on.
      const latest = new Date(databaseNow() + config.guestDays * day);
      await guests.updateMany({ expiresAt: { $gt: latest } }, { $set: { expiresAt: latest } });
      for (let isMore = true; isMore; ) {
        const isOver = { expiresAt: { $lt: databaseDate() } };
        const over = await guests.find(isOver).limit(slice).lean();
        isMore = over.length === slice;
        const last = over.at(-1);
        for (const guest of over) {
          // Repeated for an adopted guest: a request running during the adoption may have written something.
          known.delete(guest._id);
          if (guest.adoptedBy) await transfer(guest);
          else await owned.remove(guestOwner(guest._id));
          await guests.deleteOne({ _id: guest._id }, guest === last ? { writeConcern: secureDelete } : {});
        }
      }
    },
  };
}

/** A collection whose documents have an `owner`. */
export interface OwnedCollection {
  updateMany(filter: { owner: string }, update: { $set: { owner: string } }): PromiseLike<unknown>;
  deleteMany(filter: { owner: string }): PromiseLike<unknown>;
}

/** Domains above implement it, to hand over or delete an owner's data. Both calls can be repeated. */
export interface OwnedData {
  transfer(from: string, to: string): Promise<void>;
  remove(owner: string): Promise<void>;
}
