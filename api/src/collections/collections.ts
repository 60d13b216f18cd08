import { type Model, Types } from 'mongoose';
import type { AccountModels } from '../accounts/account-models.ts';
import { findActive, withGroupRoles } from '../accounts/groups.ts';
import type { Rights } from '../accounts/rights.ts';
import type { Responsibilities } from '../accounts/transfers.ts';
import { type CollectionOwner, collectionOwner } from '../answers/index/document.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import {
  Audience,
  type Collection,
  type CollectionList,
  type CollectionRequest,
  firstCollection,
} from '../contract/collections.ts';
import { ApiError, notFound } from '../errors/errors.ts';
import type { SessionUser } from '../http/desk-state.ts';
import { defineModel } from '../store/define-model.ts';
import { contractPart, type DocumentOf, required } from '../store/fields.ts';
import { orConflict } from '../store/store-failure.ts';

const audience = contractPart(Audience);

const fields = {
  /** 24 hex digits. */
  _id: required(String),
  /** Unique. */
  name: required(String),
  access: required<CollectionRequest['access']>(String),
  readers: required(audience),
  editors: required(audience),
};

/** Who may read and change a part of the knowledge. The first collection is not stored: everyone may read it. */
type CollectionDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<CollectionDocument>('Collection', 'collections', fields);
schema.index({ name: 1 }, { unique: true });

type CollectionModel = Model<CollectionDocument>;
export const createCollectionModel = create;

/** Maximum number of collections: each question reads all of them. */
const maxCollections = 200;

/** What someone may do with the knowledge of the desk, as owners of documents: '' is the first collection. */
export interface KnowledgeAccess {
  readable: readonly ('' | CollectionOwner)[];
  editable: readonly ('' | CollectionOwner)[];
}

/** What someone may do with the unanswered questions. */
export interface QuestionAccess {
  /** Condition of the groups of the inbox that may be seen and answered. */
  seen: { audience?: object };
  /** Ids of the collections to which an answer to a question with this audience may be added, the most restricted ones first. */
  targets(audience: readonly string[]): string[];
}

/** Stands for deleted collections in the audience of a question. */
export const deletedCollection = 'deleted';

type Holder = Pick<SessionUser, '_id' | 'roles' | 'groups' | 'groupRoles'>;
/** Who asks: an account, any member of a group, or null for a guest. */
type Asker = {
  id: string;
  groups: readonly string[];
  editsAll: boolean;
  editsFirst: boolean;
  operates: boolean;
} | null;

/** The owner of what belongs to a collection. */
export const ownerOf = (id: string): '' | CollectionOwner =>
  id === firstCollection ? '' : collectionOwner(id);

/** The access within one collection alone, if there is any. */
export function narrowed({ readable, editable }: KnowledgeAccess, collection?: string): KnowledgeAccess {
  if (collection === undefined) return { readable, editable };
  const isIt = (owner: string) => owner === ownerOf(collection);
  return { readable: readable.filter(isIt), editable: editable.filter(isIt) };
}

/** The owner of what belongs to a collection. @throws forbidden if it may not be changed, or does not exist */
export function editableOwner({ editable }: KnowledgeAccess, collection: string): '' | CollectionOwner {
  const owner = ownerOf(collection);
  if (!editable.includes(owner)) throw new ApiError('forbidden');
  return owner;
}

export type Collections = ReturnType<typeof createCollections>;

/** Decides who may read and change which knowledge. Reads the collections for every question, so that changes apply at once in every process. */
export function createCollections(
  models: Pick<AccountModels, 'users' | 'groups'> & { collections: CollectionModel },
  rights: Pick<Rights, 'has'>,
) {
  const { users, groups, collections } = models;

  function askerOf({ _id, roles, groups: joined, groupRoles = [] }: Holder): NonNullable<Asker> {
    const holder = { roles: roles ?? null, groupRoles };
    return {
      id: _id.toHexString(),
      groups: joined ?? [],
      // Only roles that were given: EDITORS=* allows changes of the first collection only.
      editsAll: [...(roles ?? []), ...groupRoles].some(
        (role) => role === 'editor' || role === 'administrator',
      ),
      editsFirst: rights.has(holder, 'edit_knowledge'),
      operates: rights.has(holder, 'operate') || rights.has(holder, 'administer'),
    };
  }

  /** `asker` as in `DeskChoices.readableBy`. */
  async function find(asker: string): Promise<Asker> {
    const [kind, id = ''] = asker.split(':');
    if (kind === 'group') {
      const [member] = await withGroupRoles(groups, [{ _id: new Types.ObjectId(), roles: [], groups: [id] }]);
      return { ...askerOf(member!), id: '' };
    }
    if (kind !== 'user' || !Types.ObjectId.isValid(id)) return null;
    const found = await findActive(models, id);
    return found ? askerOf(found) : null;
  }

  const all = () => collections.find().sort({ name: 1 }).limit(maxCollections).lean();

  function mayEdit({ editors }: CollectionDocument, asker: Asker): boolean {
    return asker !== null && (asker.editsAll || isIn(editors, asker));
  }

  function mayRead(collection: CollectionDocument, asker: Asker): boolean {
    const { access, readers } = collection;
    if (access === 'everyone' || mayEdit(collection, asker)) return true;
    return asker !== null && (access === 'signed_in' || isIn(readers, asker));
  }

  return {
    /** See `DeskChoices.readableBy`. */
    async readableBy(asker: string): Promise<CollectionOwner[]> {
      const found = await all();
      const who = found.length > 0 ? await find(asker) : null;
      return found.filter((one) => mayRead(one, who)).map(({ _id }) => collectionOwner(_id));
    },

    /** See `DeskChoices.operates`. */
    operates: async (asker: string): Promise<boolean> => (await find(asker))?.operates ?? false,

    async accessOf(asker: string): Promise<KnowledgeAccess> {
      const [found, who] = await Promise.all([all(), find(asker)]);
      const ownersOf = (some: CollectionDocument[]) => some.map(({ _id }) => collectionOwner(_id));
      const edited = ownersOf(found.filter((one) => mayEdit(one, who)));
      return {
        readable: ['', ...ownersOf(found.filter((one) => mayRead(one, who)))],
        editable: who?.editsFirst ? ['', ...edited] : edited,
      };
    },

    /**
     * The audience of a question: the collections that its asker could read when it was answered (if unknown: can read now), without those
     * that everyone may read.
     */
    async audienceOf(question: { owner: string; audience?: readonly string[] | undefined }) {
      const { owner, audience } = question;
      const [found, who] = await Promise.all([all(), audience ? null : find(owner)]);
      const read = audience ?? found.filter((one) => mayRead(one, who)).map(({ _id }) => _id);
      const accessOf = new Map(found.map(({ _id, access }) => [_id, access]));
      const restricted = read.filter((id) => accessOf.get(id) !== 'everyone');
      return [...new Set(restricted.map((id) => (accessOf.has(id) ? id : deletedCollection)))].sort();
    },

    /**
     * An account may see and answer a question if its asker could read a collection that the account may change, and no collection that it
     * may not read. An account that may change everything sees all questions.
     */
    async questionsOf(asker: string): Promise<QuestionAccess> {
      const [found, who] = await Promise.all([all(), find(asker)]);
      const edited = found.filter((one) => mayEdit(one, who));
      const isOpen = ({ access }: CollectionDocument) => access === 'everyone';
      const idsOf = (some: CollectionDocument[]) => some.map(({ _id }) => _id);
      const open = [...(who?.editsFirst ? [firstCollection] : []), ...idsOf(edited.filter(isOpen))];
      const hidden = idsOf(found.filter((one) => !mayRead(one, who)));
      const visible = { $nin: [...hidden, deletedCollection] };
      const edits = open.length > 0 ? {} : { $in: idsOf(edited) };
      return {
        seen: who?.editsAll ? {} : { audience: { ...visible, ...edits } },
        targets: (audience) => [...idsOf(edited).filter((id) => audience.includes(id)), ...open],
      };
    },

    /** Whether an account may change any knowledge. */
    async isEditor(user: Holder): Promise<boolean> {
      const asker = askerOf(user);
      return asker.editsFirst || (await all()).some((one) => mayEdit(one, asker));
    },

    /** See `CollectionList`. */
    async list(
      asker: string,
      isAdministrator: boolean,
      { documents, pairs }: Pick<KnowledgeModels, 'documents' | 'pairs'>,
    ): Promise<CollectionList> {
      const byName = groups.find().sort({ name: 1 }).lean();
      const [found, who, known] = await Promise.all([all(), find(asker), byName]);
      const isKnown = new Set(known.map(({ _id }) => _id));
      const named = found.flatMap(({ readers, editors }) => [...readers.people, ...editors.people]);
      const there = { _id: { $in: named }, deletedAt: null };
      const people = isAdministrator ? await users.find(there, { username: 1 }).lean() : [];
      const names = new Map(people.map(({ _id, username }) => [_id.toHexString(), username]));
      const existing = (audience: Audience): Audience => ({
        groups: audience.groups.filter((id) => isKnown.has(id)),
        people: audience.people.filter((id) => names.has(id)),
      });
      const counted = async (owner: '' | CollectionOwner) => ({
        documents: await documents.countDocuments({ owner, source: 'upload', deletedAt: null }),
        pairs: await pairs.countDocuments({ source: owner || 'editor' }),
      });
      const shown = found.filter((one) => mayRead(one, who));
      return {
        collections: await Promise.all(
          [
            { id: firstCollection, name: '', access: 'everyone' as const, mayEdit: who?.editsFirst ?? false },
            ...shown.map((one) => ({
              id: one._id,
              name: one.name,
              access: one.access,
              mayEdit: mayEdit(one, who),
              ...(isAdministrator ? { readers: existing(one.readers), editors: existing(one.editors) } : {}),
            })),
          ].map(async (one): Promise<Collection> => ({ ...one, ...(await counted(ownerOf(one.id))) })),
        ),
        ...(who?.editsAll ? { groups: known.map(({ _id, name }) => ({ id: _id, name })) } : {}),
        ...(isAdministrator ? { people: [...names].map(([id, username]) => ({ id, username })) } : {}),
      };
    },

    /** Returns its id. @throws conflict if another one has the name, or if there are too many */
    async add(request: CollectionRequest): Promise<string> {
      if ((await collections.countDocuments()) >= maxCollections) throw new ApiError('conflict');
      const _id = new Types.ObjectId().toHexString();
      await orConflict(() => collections.create({ _id, ...request }));
      return _id;
    },

    /** @throws notFound('collection'), conflict */
    async change(id: string, request: CollectionRequest): Promise<void> {
      const { matchedCount } = await orConflict(() => collections.updateOne({ _id: id }, { $set: request }));
      if (matchedCount === 0) throw notFound('collection');
    },

    /** The collections that accounts edit by name. */
    editing: {
      count: (from) => collections.countDocuments({ 'editors.people': from.toHexString() }),
      async transfer(from, to) {
        const named = { 'editors.people': from.toHexString() };
        await collections.updateMany(named, { $addToSet: { 'editors.people': to._id.toHexString() } });
        await collections.updateMany(named, { $pull: named });
      },
    } satisfies Responsibilities,

    /** Only if nothing is in it. @throws notFound('collection'), collection_not_empty */
    async remove(
      id: string,
      { documents, pairs }: Pick<KnowledgeModels, 'documents' | 'pairs'>,
      hideQuestions: (id: string) => Promise<void>,
    ): Promise<void> {
      const owner = collectionOwner(id);
      const content = await Promise.all([
        documents.exists({ $or: [{ owner }, { draftFor: owner }] }),
        pairs.exists({ source: owner }),
      ]);
      if (content.some(Boolean)) throw new ApiError('collection_not_empty');
      await hideQuestions(id);
      const { deletedCount } = await collections.deleteOne({ _id: id });
      if (deletedCount === 0) throw notFound('collection');
    },
  };
}

function isIn({ groups, people }: Audience, asker: NonNullable<Asker>): boolean {
  return people.includes(asker.id) || groups.some((id) => asker.groups.includes(id));
}
