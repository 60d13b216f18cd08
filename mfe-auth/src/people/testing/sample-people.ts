import type { Group, Person, PersonChange, SharedThings } from 'api/contract/people';

interface Call {
  body?: unknown;
}

const person = (id: string, username: string, more: Partial<Person> = {}): Person => ({
  id,
  username,
  roles: [],
  groups: [],
  isDisabled: false,
  deleteAt: null,
  createdAt: '2026-10-30T07:12:00.000Z',
  signedInAt: '2026-11-19T21:40:00.000Z',
  sessions: 1,
  signsInBy: 'password',
  ...more,
});

const sharedBy = (id: string): SharedThings => ({
  collections: id === '2' ? 2 : 0,
  handovers: id === '2' ? 1 : 0,
});

/** Answers of a server with some accounts; `anna` is signed in. */
export function samplePeople() {
  let people = [
    person('1', 'anna', { roles: ['administrator'], sessions: 2, signsInBy: 'secondFactor' }),
    person('2', 'ben', { roles: ['agent'] }),
    person('3', 'a-very-long-user-name-that-somebody-chose-without-any-space-in-it', { sessions: 0 }),
    person('4', '陈立', { isDisabled: true, sessions: 0, signedInAt: null, signsInBy: 'provider' }),
  ];
  let groups: Group[] = [
    { id: 'a'.repeat(24), name: 'Leads', claim: 'desk-leads', roles: ['agent'], members: 0 },
  ];
  return {
    ...Object.fromEntries(
      people.map(({ id }) => [`GET /api/people/${id}/shared`, (): SharedThings => sharedBy(id)]),
    ),
    'POST /api/people/2/transfer': (): SharedThings => ({ collections: 0, handovers: 0 }),
    'GET /api/people/groups': () => ({ groups }),
    'POST /api/people/groups': ({ body }: Call) => {
      groups = [...groups, { id: 'b'.repeat(24), members: 0, ...(body as Omit<Group, 'id' | 'members'>) }];
      return groups.at(-1);
    },
    [`DELETE /api/people/groups/${'a'.repeat(24)}`]: () => {
      groups = groups.slice(1);
    },
    'POST /api/people/search': ({ body }: Call) => {
      const { q, role } = body as { q: string; role?: Person['roles'][number] };
      const found = people.filter(
        ({ username, roles }) => username.startsWith(q) && (!role || roles.includes(role)),
      );
      return { people: found, nextCursor: null };
    },
    ...Object.fromEntries(
      people.map(({ id }) => [
        `PATCH /api/people/${id}`,
        ({ body }: Call) => {
          people = people.map((one) =>
            one.id === id ? { ...one, deleteAt: null, ...(body as PersonChange) } : one,
          ) as Person[];
          return people.find((one) => one.id === id);
        },
      ]),
    ),
  };
}
