import type { AdminReply } from '../../../../contract/accounts.ts';
import type { BinPage } from '../../../../contract/deletions.ts';
import type { ErrorBody } from '../../../../contract/error-body.ts';
import type {
  KnowledgeDocumentPage,
  KnowledgePairPage,
  KnowledgeSummary,
  UnansweredPage,
} from '../../../../contract/knowledge.ts';
import type { ModelList } from '../../../../contract/models.ts';
import type { ConversationPage, RecordPage } from '../../../../contract/records.ts';
import type { ContactPage, RecordStats, SearchPage } from '../../../../contract/search.ts';

/** The signed-in user in the browser of a smoke run; never sent to the server. */
export const VISITOR = { token: 'smoke-run', username: 'smoke' };

const EMPTY = { total: 0, nextCursor: null };

const NO_FIGURES = {
  total: 0,
  answered: 0,
  unanswered: 0,
  bySource: { curated: 0, document: 0, model: 0, person: 0, none: 0 },
  byOutcome: { answered: 0, related: 0, nothing: 0 },
  byDay: [],
  byContact: [],
  satisfaction: { up: 0, down: 0 },
  medianMs: null,
} satisfies RecordStats;

/** Responses of an empty server, by call. Releases of earlier versions use GET for figures and contacts. */
const ANSWERS: Record<string, unknown> = {
  'POST /admin/auth': {
    code: 1,
    msg: '',
    data: { username: VISITOR.username },
  } satisfies AdminReply<{ username: string }>,
  'GET /admin/sessions': { sessions: [] },
  'GET /api/conversations': { conversations: [], nextCursor: null } satisfies ConversationPage,
  'GET /api/records': { records: [], nextCursor: null } satisfies RecordPage,
  'GET /api/contacts': { contacts: [], nextCursor: null } satisfies ContactPage,
  'POST /api/contacts/search': { contacts: [], nextCursor: null } satisfies ContactPage,
  'GET /api/models': { models: [], default: 'none' } satisfies ModelList,
  'GET /api/bin': { deletions: [], undoDays: 7, nextCursor: null } satisfies BinPage,
  'POST /api/search': { records: [], totalIsMore: false, ...EMPTY } satisfies SearchPage,
  'GET /api/stats': NO_FIGURES,
  'POST /api/stats': NO_FIGURES,
  'GET /api/knowledge': {
    isEditor: true,
    guestsAsk: true,
    documents: 0,
    passages: 0,
    pairs: 0,
    unanswered: 0,
  } satisfies KnowledgeSummary,
  'GET /api/knowledge/documents': { documents: [], passages: 0, ...EMPTY } satisfies KnowledgeDocumentPage,
  'GET /api/knowledge/pairs': { pairs: [], ...EMPTY } satisfies KnowledgePairPage,
  'GET /api/knowledge/unanswered': { questions: [], ...EMPTY } satisfies UnansweredPage,
};

/** The browser answers calls of a page by itself: unknown ones with 503, as an overloaded server. */
export function answerCall(method: string, path: string): { status: number; body: unknown } {
  const body = ANSWERS[`${method} ${path}`];
  if (body !== undefined) return { status: 200, body };
  const busy: ErrorBody = {
    code: 503,
    msg: 'not available in a smoke run',
    error: 'unavailable',
    requestId: 'smoke',
  };
  return { status: 503, body: busy };
}
