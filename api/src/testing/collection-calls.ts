import type { CollectionList, CollectionRequest } from '../contract/collections.ts';
import type { Group, PeoplePage } from '../contract/people.ts';
import type { TestApi } from './start-test-api.ts';
import { createVisitor, type Visitor } from './visitor.ts';

export const nobody = { groups: [], people: [] };

/** Calls of an administrator, who is the first account of a new API, for accounts, groups and collections. */
export async function collectionCalls(api: TestApi) {
  async function signedUp(name: string): Promise<Visitor> {
    const visitor = createVisitor(api.url);
    await visitor.signUp(name, 'a long password');
    return visitor;
  }
  const admin = await signedUp('Root');
  const path = '/api/knowledge/collections';
  const requestOf = (name: string, request: Partial<CollectionRequest>): CollectionRequest => ({
    name,
    access: 'some',
    readers: nobody,
    editors: nobody,
    ...request,
  });

  async function idOf(name: string): Promise<string> {
    const { body } = await admin.call<PeoplePage>('POST', '/api/people/search', { q: name });
    return body.people[0]!.id;
  }

  return {
    admin,
    signedUp,
    idOf,
    /** Accounts as readers or editors. */
    people: async (...names: string[]) => ({ groups: [], people: await Promise.all(names.map(idOf)) }),
    /** Returns the id of a new group. */
    group: async (name: string) =>
      (await admin.call<Group>('POST', '/api/people/groups', { name, claim: '' })).body.id,
    changePerson: async (name: string, body: object) =>
      admin.call('PATCH', `/api/people/${await idOf(name)}`, body),
    /** Returns the id of a new collection, which nobody reads unless `request` says so. */
    async collection(name: string, request: Partial<CollectionRequest> = {}): Promise<string> {
      const { body } = await admin.call<CollectionList>('POST', path, requestOf(name, request));
      return body.collections.find((one) => one.name === name)!.id;
    },
    changeCollection: (id: string, name: string, request: Partial<CollectionRequest>) =>
      admin.call('PUT', `${path}/${id}`, requestOf(name, request)),
  };
}
