import type { AnswerReason } from 'api/contract/answers';
import type { CollectionList, CollectionRequest } from 'api/contract/collections';
import type {
  ChangedAnswer,
  DocumentChange,
  KnowledgeArchive,
  KnowledgeChange,
  KnowledgeCheck,
  KnowledgeDocumentInfo,
  KnowledgePair,
  KnowledgeSummary,
  TrialQuestion,
  TriedQuestion,
  UnansweredReason,
} from 'api/contract/knowledge';
import { type Answer, type Call, failure } from 'host/stand-ins';
import { type Knowledge, samplePair } from './sample-knowledge.ts';

export interface KnowledgeServer extends Knowledge {
  /** Answers the calls of /knowledge like the API; undefined for others. */
  answer: Answer;
}

/**
 * The API of /knowledge with data in memory. A question is answered by a pair with exactly that question, so that POST …/check reports its
 * changes; each request of documents advances their indexing by a quarter.
 */
export function createKnowledgeServer(start: Knowledge): KnowledgeServer {
  const server: KnowledgeServer = { ...start, answer };
  let lastId = 0;
  const nextId = (kind: string) => {
    lastId += 1;
    return `${kind}-new-${lastId}`;
  };

  function answer(call: Call): unknown {
    const { method, url, body, params } = call;
    const path = /^\/api\/knowledge(?:\/([^?]*))?/.exec(url);
    if (!path) return undefined;
    const [part = '', rawId = '', action = ''] = (path[1] ?? '').split('/');
    const id = decodeURIComponent(rawId);
    if (part === '') return summary();
    if (part === 'collections') {
      const { name, access } = (body ?? {}) as CollectionRequest;
      const one = { id: 'c'.repeat(24), mayEdit: true, documents: 0, pairs: 0 };
      if (method === 'POST') server.collections = [...(server.collections ?? []), { ...one, name, access }];
      return collections();
    }
    if (id === 'search')
      return answer({
        ...call,
        method: 'GET',
        url: `/api/knowledge/${part}`,
        params: body as Call['params'],
      });
    if (method !== 'GET' && !server.isEditor) throw failure(403, 'forbidden', '只有编辑者可以改动知识');
    if (part === 'check') return check(body as KnowledgeChange);
    if (part === 'try') return tried((body as TrialQuestion).text);
    if (part === 'export') return new Blob([JSON.stringify(exported())], { type: 'application/json' });
    if (part === 'import') return imported(body as KnowledgeArchive);
    if (part === 'documents') return documents({ method, id, action, body, params });
    if (part === 'pairs') return pairs({ method, id, body, params });
    if (part === 'unanswered') return unanswered({ method, id, action, body, params });
    throw failure(404, 'not_found', '没有这个地址');
  }

  function collections(): CollectionList {
    const own = { access: 'everyone', mayEdit: server.isEditor, documents: 0, pairs: 0 } as const;
    const [first, ...others] = [{ id: 'everyone', name: '', ...own }, ...(server.collections ?? [])];
    return {
      collections: [first!, ...others],
      ...(server.isEditor && { groups: [{ id: 'a'.repeat(24), name: '人事部' }], people: [] }),
    };
  }

  function summary(): KnowledgeSummary {
    return {
      isEditor: server.isEditor,
      guestsAsk: server.guestsAsk,
      documents: server.documents.length,
      passages: passageCount(),
      pairs: server.pairs.length,
      unanswered: server.isEditor ? server.unanswered.length : null,
      ...(server.embedded ? { embedded: server.embedded } : {}),
    };
  }

  function passageCount(): number {
    return server.documents.reduce((sum, { passages }) => sum + passages, 0);
  }

  function documents({ method, id, action, body, params }: Part): unknown {
    if (method === 'POST' && !id) {
      const file = (body as FormData).get('file') as File;
      const collectionId = (body as FormData).get('collection');
      const document = {
        ...added(file.name, file.size),
        ...(typeof collectionId === 'string' && { collectionId }),
      };
      server.documents = [document, ...server.documents];
      return { document };
    }
    if (!id) {
      server.documents = server.documents.map(further);
      const q = String(params.q ?? '');
      const found = server.documents.filter(
        ({ title, collectionId = 'everyone' }) =>
          title.includes(q) && (!params.collection || params.collection === collectionId),
      );
      return { ...page('documents', found, params), total: found.length, passages: passageCount() };
    }
    const document = found(server.documents, id);
    if (action === 'passages') return page('passages', server.passages[id] ?? [], params);
    if (method === 'PATCH') {
      const renamed = { ...document, ...(body as DocumentChange), status: 'indexing' as const, progress: 0 };
      server.documents = server.documents.map((one) => (one.id === id ? renamed : one));
      return { document: renamed };
    }
    if (action === 'reindex') {
      const again = { ...document, status: 'indexing' as const, progress: 0, error: null };
      server.documents = server.documents.map((one) => (one.id === id ? again : one));
      return { document: again };
    }
    if (method === 'DELETE') {
      server.documents = server.documents.filter((one) => one.id !== id);
      return '';
    }
    return { document };
  }

  function added(name: string, size: number): KnowledgeDocumentInfo {
    const now = new Date().toISOString();
    return {
      id: nextId('document'),
      title: name,
      name,
      type: 'text',
      size,
      pages: 1,
      status: 'indexing',
      progress: 0,
      passages: 0,
      cited: 0,
      error: null,
      isHandbook: false,
      createdAt: now,
      updatedAt: now,
    };
  }

  function pairs({ method, id, body, params }: Omit<Part, 'action'>): unknown {
    if (method === 'GET') {
      const q = String(params.q ?? '');
      const found = server.pairs.filter(({ question }) => question.includes(q));
      return { ...page('pairs', found, params), total: found.length };
    }
    if (method === 'POST') {
      const pair = samplePair({ ...(body as KnowledgePair), id: nextId('pair'), hits: 0 });
      server.pairs = [pair, ...server.pairs];
      return { pair };
    }
    const before = found(server.pairs, id);
    if (method === 'DELETE') {
      server.pairs = server.pairs.filter((one) => one !== before);
      return '';
    }
    const pair = { ...before, ...(body as KnowledgePair) };
    server.pairs = server.pairs.map((one) => (one === before ? pair : one));
    return { pair };
  }

  function unanswered({ method, id, action, body, params }: Part): unknown {
    if (!server.isEditor) throw failure(403, 'forbidden', '只有编辑者能看未答的问题');
    if (method === 'GET') {
      const counted = { not_found: 'notFound', not_helpful: 'notHelpful' } as const;
      const field = counted[params.reason as UnansweredReason];
      const shown = field ? server.unanswered.filter((one) => one[field] > 0) : server.unanswered;
      return { ...page('questions', shown, params), total: shown.length };
    }
    const one = found(server.unanswered, id);
    server.unanswered = server.unanswered.filter((other) => other !== one);
    if (action === 'dismiss') return '';
    const pair = samplePair({
      ...(body as { answer: string; variants: string[] }),
      id: nextId('pair'),
      question: one.question,
      hits: 0,
    });
    server.pairs = [pair, ...server.pairs];
    return { pair };
  }

  function tried(text: string): TriedQuestion {
    const pair = server.pairs.find(({ question }) => question === text);
    const why: AnswerReason = {
      verdict: pair ? 'curated' : 'weak',
      rewritten: null,
      pair: pair ? { question: pair.question, similarity: 1 } : null,
      terms: [],
      total: 9,
      candidates: 1,
      ranked: [
        {
          href: '/api/passages/p1',
          title: '企业退款政策',
          place: '时限',
          score: 1,
          coverage: 0.4,
          missing: ['加急'],
          taken: false,
        },
      ],
    };
    const outcome = pair ? 'answered' : 'nothing';
    return {
      answer: pair?.answer ?? '没有找到',
      source: pair ? 'curated' : 'none',
      outcome,
      citations: [],
      why,
    };
  }

  function check(change: KnowledgeChange): KnowledgeCheck {
    if (change.kind === 'put_pair') {
      const mine = [change.pair.question, ...(change.pair.variants ?? [])];
      const others = server.pairs.filter(({ id, isHandbook }) => id !== change.id && !isHandbook);
      if (change.id) found(server.pairs, change.id);
      if (others.some((pair) => wordingsOf(pair).some((wording) => mine.includes(wording))))
        throw failure(409, 'conflict', '已有一对问答用了这个问法');
    }
    const after = pairsAfter(change);
    const questions = [...new Set([...server.pairs, ...after].flatMap(wordingsOf))];
    const changed = questions.flatMap((question): ChangedAnswer[] => {
      const [now, then] = [answerOf(question, server.pairs), answerOf(question, after)];
      return now.answer === then.answer ? [] : [{ question, before: now, after: then }];
    });
    return { checked: questions.length, isPartial: false, changed, golden: [], goldenChecked: 0 };
  }

  function pairsAfter(change: KnowledgeChange): KnowledgePair[] {
    if (
      change.kind === 'delete_document' ||
      change.kind === 'put_synonyms' ||
      change.kind === 'publish_document'
    )
      return server.pairs;
    if (change.kind === 'delete_pair') return server.pairs.filter(({ id }) => id !== change.id);
    const others = server.pairs.filter(({ id }) => id !== change.id);
    return [samplePair({ ...(change.pair as KnowledgePair), id: change.id ?? 'checked' }), ...others];
  }

  function exported(): KnowledgeArchive {
    return {
      format: 'consultation-desk-knowledge',
      version: 1,
      exportedAt: new Date().toISOString(),
      documents: server.documents
        .filter(({ isHandbook }) => !isHandbook)
        .map(({ id, title, type, createdAt }) => ({ id, title, type, createdAt, text: title })),
      pairs: server.pairs,
    };
  }

  function imported({ documents, pairs }: KnowledgeArchive) {
    const known = new Set([...server.documents, ...server.pairs].map(({ id }) => id));
    const newDocuments = documents.filter(({ id }) => !known.has(id));
    const newPairs = pairs.filter(({ id }) => !known.has(id));
    server.documents = [
      ...newDocuments.map((one) => ({ ...added(one.title, 0), id: one.id })),
      ...server.documents,
    ];
    server.pairs = [...newPairs.map((pair) => samplePair(pair)), ...server.pairs];
    return {
      documents: newDocuments.length,
      pairs: newPairs.length,
      unchanged: documents.length + pairs.length - newDocuments.length - newPairs.length,
    };
  }

  return server;
}

interface Part {
  method: string;
  id: string;
  action: string;
  body: unknown;
  params: Call['params'];
}

function found<T extends { id: string }>(all: T[], id: string): T {
  const one = all.find((other) => other.id === id);
  if (!one) throw failure(404, 'not_found', '它不在了');
  return one;
}

function further(one: KnowledgeDocumentInfo): KnowledgeDocumentInfo {
  if (one.status !== 'indexing') return one;
  const progress = Math.min(1, one.progress + 0.25);
  return progress < 1 ? { ...one, progress } : { ...one, progress, status: 'ready', passages: 12 };
}

function wordingsOf({ question, variants }: KnowledgePair): string[] {
  return [question, ...variants];
}

function answerOf(question: string, pairs: KnowledgePair[]): ChangedAnswer['before'] {
  const pair = pairs.find((one) => wordingsOf(one).includes(question));
  return pair ? { source: 'curated', answer: pair.answer } : { source: 'none', answer: '' };
}

function page<T>(name: string, all: T[], params: Call['params']) {
  const limit = Number(params.limit ?? 20);
  const from = Number(params.cursor ?? 0);
  const next = from + limit;
  return { [name]: all.slice(from, next), nextCursor: next < all.length ? String(next) : null };
}
