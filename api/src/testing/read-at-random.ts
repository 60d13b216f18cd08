import type { ChatAnswer } from '../contract/chat.ts';
import { type CollectionList, firstCollection } from '../contract/collections.ts';
import type { UnansweredPage, UnansweredQuestion } from '../contract/knowledge.ts';
import type { Group, PeoplePage } from '../contract/people.ts';
import type { DeskRecord } from '../contract/records.ts';
import type { NewShare } from '../contract/sharing.ts';
import { givenDocument, givenPair, whenIndexed } from './knowledge-calls.ts';
import { createRandom } from './random.ts';
import type { TestApi } from './start-test-api.ts';
import { until } from './until.ts';
import { createVisitor, type Visitor } from './visitor.ts';

/** A part of the knowledge; nothing but its answer says `secret`. */
interface Secret {
  id: string;
  collectionId: string;
  question: string;
  secret: string;
  isPair: boolean;
}

interface Rule {
  access: 'everyone' | 'signed_in' | 'some';
  groups: string[];
  people: string[];
  /** Accounts, who also read it. */
  editors: string[];
}

/** A question without an answer, and the restricted collections that its asker could read. */
interface Wondered {
  subject: string;
  audience: string[];
}

interface Person {
  name: string;
  visitor: Visitor;
  id: string;
  groups: string[];
  isGuest: boolean;
  records: DeskRecord[];
  tokens: string[];
}

const password = 'a long password';
const syllables = [
  'ba',
  'do',
  'fi',
  'gu',
  'ke',
  'lo',
  'mi',
  'nu',
  'pe',
  'ra',
  'so',
  'tu',
  've',
  'wi',
  'xa',
  'zo',
];

/**
 * Generates accounts, groups, collections and knowledge, changes them at random, and compares what each surface shows with the rule of the collections. The API
 * must be new. Returns the number of comparisons, and of those in which the asker was to see something and did.
 *
 * @throws Error with the first leak, or if someone is not answered who may read it
 */
export async function readAtRandom(api: TestApi, seed: number, cases: number) {
  const random = createRandom(seed);
  const admin = createVisitor(api.url);
  await admin.signUp('Root', password);
  const word = () => Array.from({ length: 5 }, () => random.pick(syllables)).join('');
  const must = async <T>(reply: Promise<{ status: number; body: T }>): Promise<T> => {
    const { status, body } = await reply;
    if (status >= 300) throw new Error(`expected success, got ${status} ${JSON.stringify(body)}`);
    return body;
  };

  const groups: string[] = [];
  for (const name of ['Staff', 'Leads'])
    groups.push((await must(admin.call<Group>('POST', '/api/people/groups', { name, claim: '' }))).id);
  const people: Person[] = [];
  for (const name of ['anna', 'berta', 'carl', 'guest']) {
    const visitor = createVisitor(api.url);
    const isGuest = name === 'guest';
    if (isGuest) await visitor.call('GET', '/api/usage');
    else await visitor.signUp(name, password);
    people.push({ name, visitor, id: '', groups: [], isGuest, records: [], tokens: [] });
  }
  const found = await must(admin.call<PeoplePage>('POST', '/api/people/search', {}));
  for (const person of people)
    person.id = found.people.find(({ username }) => username === person.name)?.id ?? '';

  /** Groups whose members have the role of an editor. */
  const editing = new Set<string>();
  const isEditor = ({ groups: joined }: Person) => joined.some((group) => editing.has(group));

  const rules = new Map<string, Rule>();
  const some = (chance: number) =>
    people.filter(({ isGuest }) => !isGuest && random.chance(chance)).map(({ id }) => id);
  const someRule = (): Rule => ({
    access: random.pick(['everyone', 'signed_in', 'some', 'some', 'some']),
    groups: groups.filter(() => random.chance(0.4)),
    people: some(0.25),
    editors: some(0.15),
  });
  const requestOf = (name: string, { access, editors, ...readers }: Rule) => ({
    name,
    access,
    readers,
    editors: { groups: [], people: editors },
  });
  const names = new Map<string, string>();
  for (const name of ['One', 'Two', 'Three']) {
    const rule = someRule();
    const { collections } = await must(
      admin.call<CollectionList>('POST', '/api/knowledge/collections', requestOf(name, rule)),
    );
    const { id } = collections.find((one) => one.name === name)!;
    rules.set(id, rule);
    names.set(id, name);
  }
  const anyCollection = () => random.pick([firstCollection, ...rules.keys()]);

  const secrets: Secret[] = [];
  async function add(): Promise<void> {
    const [topic, secret, collectionId, isPair] = [word(), word(), anyCollection(), random.chance(0.3)];
    const question = `What does the ${topic} allowance of the ${topic} office cover?`;
    const answer = `The ${topic} allowance of the ${topic} office covers the ${secret} for every year of service.`;
    const given = isPair
      ? await givenPair(admin, { question, answer, collectionId })
      : await givenDocument(admin, `${secret}.md`, `# ${question}\n\n${answer}\n`, secret, collectionId);
    await must(
      admin.call('POST', '/api/knowledge/golden', {
        question,
        expected: { outcome: 'answered' },
        collectionId,
      }),
    );
    secrets.push({ id: given.id, collectionId, question, secret, isPair });
  }
  for (let count = 0; count < 6; count += 1) await add();

  const mayRead = ({ isGuest, id, groups: joined }: Person, collectionId: string): boolean => {
    const rule = rules.get(collectionId);
    if (!rule || rule.access === 'everyone') return true;
    if (isGuest) return false;
    if (rule.editors.includes(id) || joined.some((group) => editing.has(group))) return true;
    const isNamed = rule.people.includes(id) || rule.groups.some((group) => joined.includes(group));
    return rule.access === 'signed_in' || isNamed;
  };

  const changes: (() => Promise<void>)[] = [
    async () => {
      const id = random.pick([...rules.keys()]);
      const rule = someRule();
      await must(admin.call('PUT', `/api/knowledge/collections/${id}`, requestOf(names.get(id)!, rule)));
      rules.set(id, rule);
    },
    async () => {
      const person = random.pick(people.filter(({ isGuest }) => !isGuest));
      const joined = groups.filter(() => random.chance(0.4));
      await must(admin.call('PATCH', `/api/people/${person.id}`, { groups: joined }));
      person.groups = joined;
    },
    async () => {
      const document = random.pick(secrets.filter(({ isPair }) => !isPair));
      const collectionId = anyCollection();
      await must(admin.call('PATCH', `/api/knowledge/documents/${document.id}`, { collectionId }));
      document.collectionId = collectionId;
      // Nobody may see it who could before, also while it is indexed.
      for (const person of people) await compare(person, 'ask', document, true);
      await whenIndexed(admin, document.id);
    },
    async () => (secrets.length < 14 ? add() : undefined),
    async () => {
      const id = random.pick(groups);
      const roles = random.chance(0.3) ? ['editor'] : [];
      await must(admin.call('PUT', `/api/people/groups/${id}`, { name: `Group ${id}`, claim: '', roles }));
      if (roles.length > 0) editing.add(id);
      else editing.delete(id);
    },
  ];

  let shown = 0;
  const wondered: Wondered[] = [];
  const isRestricted = (collectionId: string) => rules.get(collectionId)?.access !== 'everyone';
  const questions = async (
    { visitor }: Pick<Person, 'visitor'>,
    cursor = '',
  ): Promise<UnansweredQuestion[]> => {
    const path = `/api/knowledge/unanswered?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const { questions: some = [], nextCursor } = (await visitor.call<Partial<UnansweredPage>>('GET', path))
      .body;
    return nextCursor ? [...some, ...(await questions({ visitor }, nextCursor))] : some;
  };
  const asks = (subject: string) => `Why do ${subject} swim?`;
  async function wonder(person: Person): Promise<void> {
    const subject = word();
    const audience = [...rules.keys()].filter((id) => isRestricted(id) && mayRead(person, id));
    await must(person.visitor.call('POST', '/api/chat', { text: asks(subject) }));
    await until(async () =>
      (await questions({ visitor: admin })).some((one) => one.question === asks(subject)),
    );
    wondered.push({ subject, audience });
  }
  const editsAny = (person: Person, collectionIds: readonly string[]) =>
    isEditor(person) || collectionIds.some((one) => rules.get(one)?.editors.includes(person.id));
  async function compareQuestions(person: Person): Promise<void> {
    const seen = await questions(person);
    const open = [...rules.keys()].filter((id) => !isRestricted(id));
    for (const { subject, audience } of wondered) {
      const found = seen.find((one) => one.question === asks(subject));
      const isExpected =
        audience.every((id) => mayRead(person, id)) && editsAny(person, [...audience, ...open]);
      if (isExpected !== (found !== undefined))
        throw new Error(
          `seed ${seed}: ${person.name} ${found ? 'sees' : 'does not see'} the question about ${subject}`,
        );
      const wrong = found?.collections.filter(
        (one) =>
          !editsAny(person, [one]) ||
          ![...audience, ...open, ...(isEditor(person) ? [firstCollection] : [])].includes(one),
      );
      if (wrong?.length) throw new Error(`seed ${seed}: ${person.name} could answer ${subject} in ${wrong}`);
      if (found) shown += 1;
    }
  }

  const text = async (reply: Promise<{ body: unknown }>) => JSON.stringify((await reply).body);
  /** What a person sees on a surface. */
  const surfaces: Record<string, (person: Person, about: Secret) => Promise<string>> = {
    async ask({ visitor, records }, { question }) {
      const headers = { 'Accept-Language': 'en' };
      const { body } = await visitor.call<ChatAnswer>('POST', '/api/chat', { text: question }, headers);
      const record = await visitor.call<DeskRecord>('GET', `/api/records/${body.recordId}`);
      records.push(record.body);
      return JSON.stringify([body, record.body]);
    },
    misspelt: ({ visitor }, { question }) =>
      text(visitor.call('POST', '/api/chat', { text: question.replace(/a (\w)/, 'a $1$1') })),
    async share(person) {
      const { visitor, records, tokens } = person;
      if (records.length === 0) return '';
      const path = `/api/conversations/${random.pick(records).conversationId}/share`;
      const shared = await visitor.call<NewShare>('POST', path, { files: true });
      tokens.push(shared.body.token);
      return '';
    },
    starters: ({ visitor }) => text(visitor.call('GET', '/api/starters')),
    documents: ({ visitor }) => text(visitor.call('GET', '/api/knowledge/documents?limit=100')),
    pairs: ({ visitor }) => text(visitor.call('GET', '/api/knowledge/pairs?limit=100')),
    found: ({ visitor }, { secret }) =>
      visitor
        .call<{ documents?: unknown; pairs?: unknown }>('POST', '/api/knowledge/documents/search', {
          q: secret,
        })
        .then(({ body }) => JSON.stringify(body.documents ?? [])),
    document: ({ visitor }, { id }) => text(visitor.call('GET', `/api/knowledge/documents/${id}`)),
    parts: ({ visitor }, { id }) => text(visitor.call('GET', `/api/knowledge/documents/${id}/passages`)),
    source: ({ visitor }, { id }) => text(visitor.call('GET', `/api/documents/${id}`)),
    text: ({ visitor }, { id }) => text(visitor.call('GET', `/api/documents/${id}/text?at=0`)),
    async file({ visitor }, { id, isPair }) {
      return isPair ? '' : (await visitor.fetch('GET', `/api/documents/${id}/file`)).text();
    },
    records: ({ visitor }) => text(visitor.call('GET', '/api/records?limit=100')),
    search: ({ visitor }) => text(visitor.call('POST', '/api/search', { text: 'allowance', limit: 50 })),
    export: async ({ visitor }) => {
      const body = JSON.stringify({ filter: {}, format: 'json' });
      const headers = { 'Content-Type': 'application/json' };
      return (await visitor.fetch('POST', '/api/export', { body, headers })).text();
    },
    async conversation({ visitor, records }) {
      if (records.length === 0) return '';
      const { conversationId } = random.pick(records);
      return text(visitor.call('GET', `/api/conversations/${conversationId}/records`));
    },
    async markdown({ visitor, records }) {
      if (records.length === 0) return '';
      const { conversationId } = random.pick(records);
      return (await visitor.fetch('GET', `/api/conversations/${conversationId}/export?format=md`)).text();
    },
    async why({ visitor, records }) {
      return records.length === 0
        ? ''
        : text(visitor.call('GET', `/api/records/${random.pick(records).id}/why`));
    },
    async again({ visitor, records }) {
      if (records.length === 0) return '';
      return (await visitor.fetch('GET', `/api/chat/${random.pick(records).id}`)).text();
    },
    golden: ({ visitor }) => text(visitor.call('GET', '/api/knowledge/golden')),
    archive: ({ visitor }) =>
      text(visitor.call('GET', `/api/knowledge/export?collection=${anyCollection()}`)),
    async passage({ visitor, records }) {
      const hrefs = records.flatMap(({ citations }) => citations.map(({ href }) => href)).filter(Boolean);
      return hrefs.length === 0 ? '' : text(visitor.call('GET', random.pick(hrefs)));
    },
  };

  async function compare(person: Person, surface: string, about: Secret, isMoving = false): Promise<void> {
    const seen = await surfaces[surface]!(person, about);
    // What someone has been shown as a guest of a link is compared below.
    for (const { secret, collectionId } of secrets) {
      if (!seen.includes(secret) || mayRead(person, collectionId)) continue;
      // A search repeats what was looked for, and a path the name.
      throw new Error(
        `seed ${seed}: ${person.name} sees ${secret} of ${names.get(collectionId)} by ${surface}`,
      );
    }
    const isExpected = mayRead(person, about.collectionId) && !isMoving;
    if (surface === 'ask' && isExpected && !seen.includes(about.secret))
      throw new Error(
        `seed ${seed}: ${person.name} is not answered about ${about.secret}: ${seen.slice(0, 500)}`,
      );
    if (seen.includes(about.secret)) shown += 1;
  }

  async function compareLinks(): Promise<void> {
    const guest = people.find(({ isGuest }) => isGuest)!;
    const nobody = createVisitor(api.url);
    for (const token of people.flatMap(({ tokens }) => tokens.slice(-2))) {
      const seen = await text(nobody.call('POST', '/api/shared', { token }));
      for (const { secret, collectionId } of secrets)
        if (seen.includes(secret) && !mayRead(guest, collectionId))
          throw new Error(`seed ${seed}: a link shows ${secret} of ${names.get(collectionId)}`);
    }
  }

  const all = Object.keys(surfaces);
  for (let done = 0; done < cases; done += 1) {
    if (random.chance(0.15)) await random.pick(changes)();
    await compare(random.pick(people), random.chance(0.3) ? 'ask' : random.pick(all), random.pick(secrets));
    if (done % 10 === 4 && wondered.length < 60) await wonder(random.pick(people));
    if (done % 10 === 9) await compareQuestions(random.pick(people));
    if (done % 20 === 19) await compareLinks();
  }
  return { cases, shown };
}
