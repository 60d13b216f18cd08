import { z } from 'zod';
import { AdminReply, Credentials, PasswordChange, PasswordProof, SessionList } from './accounts.ts';
import { AnswerReason, Passage, StarterList } from './answers.ts';
import {
  ConversationExportQuery,
  ExportRequest,
  ImportReply,
  PdfRequest,
  RecordArchive,
} from './archives.ts';
import { AuditCheck, AuditFilter, AuditPage, AuditSearch } from './audit.ts';
import {
  AnswerEvent,
  ChatAnswer,
  ChatQuestion,
  PredictAnswer,
  PredictQuestion,
  RetryRequest,
  StopReply,
} from './chat.ts';
import {
  ContactChange,
  ContactChangeReply,
  ContactDetails,
  ContactMergeReply,
  ContactMergeRequest,
  ContactQuery,
  ContactRequest,
  ContactSearch,
  ContactSummaryPage,
  ContactUndoReply,
} from './contacts.ts';
import {
  BinPage,
  ConversationDeletion,
  DeleteByContact,
  DeleteByDate,
  DeleteByIds,
  Deletion,
  PurgeReply,
  UndoReply,
  UndoRequest,
} from './deletions.ts';
import { SourceDocument, SourceText, SourceTextQuery } from './documents.ts';
import { PageQuery } from './fields.ts';
import { UploadRules } from './files.ts';
import {
  GoldenImport,
  GoldenImportReply,
  GoldenList,
  GoldenReply,
  GoldenRequest,
  RatedQuestions,
} from './golden.ts';
import {
  Handover,
  HandoverEvent,
  HandoverList,
  HandoverMessageRequest,
  HandoverRequest,
  InboxDetail,
  InboxEvent,
  InboxPage,
  InboxPairRequest,
  InboxQuery,
  InboxSummary,
  ResponseTime,
} from './handover.ts';
import {
  AskedAgain,
  DocumentTitle,
  KnowledgeArchive,
  KnowledgeChange,
  KnowledgeCheck,
  KnowledgeDocumentPage,
  KnowledgeDocumentReply,
  KnowledgeImportReply,
  KnowledgePairPage,
  KnowledgePairReply,
  KnowledgePairRequest,
  KnowledgePassagePage,
  KnowledgeQuery,
  KnowledgeSearch,
  KnowledgeSummary,
  NewKnowledgePair,
  TrialQuestion,
  TriedQuestion,
  UnansweredAnswer,
  UnansweredPage,
  UnansweredQuery,
} from './knowledge.ts';
import { ModelList, ModelUsage } from './models.ts';
import { InvitationRequest, LinkInfo, LinkQuery, LinkUse, OneTimeLink } from './one-time-links.ts';
import type { Operation } from './operation.ts';
import { opsOperations } from './ops-operations.ts';
import { DeskOverview, OverviewQuery } from './overview.ts';
import { PeoplePage, PeopleSearch, Person, PersonChange } from './people.ts';
import {
  Conversation,
  ConversationChange,
  ConversationPage,
  ConversationQuery,
  DeskRecord,
  RecordPage,
} from './records.ts';
import {
  ContactPage,
  FeedbackReply,
  FeedbackRequest,
  RecordFilter,
  RecordStats,
  SearchPage,
  SearchRequest,
} from './search.ts';
import {
  DeskInfo,
  LogoReply,
  RetentionPreview,
  RetentionQuery,
  SettingsAccess,
  SettingsChange,
  SettingsHistory,
  SettingsReply,
  SettingsRestore,
} from './settings.ts';
import {
  NewShare,
  Share,
  SharedConversation,
  SharedFileRequest,
  SharedRequest,
  SharePage,
  ShareRequest,
  ShareState,
} from './sharing.ts';
import { SignedOut, SsoSession } from './single-sign-on.ts';
import { SynonymChange, SynonymList } from './synonyms.ts';

const account = { access: 'account' } as const;
const ask = { access: 'ask' } as const;
const answerPeople = { access: 'answer_people' } as const;
const editKnowledge = { access: 'edit_knowledge' } as const;
const changeKnowledge = { ...editKnowledge, audit: 'knowledge_changed' } as const;
const administer = { access: 'administer' } as const;
const changeSettings = { ...administer, audit: 'settings_changed' } as const;
const SignInReply = AdminReply(z.string());
const SsoReply = AdminReply(SsoSession);
const DoneReply = SignInReply.omit({ data: true });
/** In a conversation with files, the answer describes them. */
const AnyAnswer = PredictAnswer.or(ChatAnswer);
const ContactList = z.union([ContactSummaryPage, ContactPage]);
const anyFile = '*/*';

/** Every call, by method and path. */
export const operations: Record<string, Operation> = {
  'GET /api/openapi.json': {
    summary: 'This description',
    access: 'anyone',
    replies: { 200: z.record(z.string(), z.unknown()), 304: null },
  },

  'POST /admin/register': {
    summary: 'Create an account and sign in',
    access: 'anyone',
    body: Credentials,
    replies: { 200: SignInReply },
  },
  'POST /admin/login': {
    summary: 'Sign in',
    access: 'anyone',
    body: Credentials,
    replies: { 200: SignInReply },
  },
  'POST /admin/link': {
    summary: 'Read what a one-time link is for',
    access: 'anyone',
    body: LinkQuery,
    replies: { 200: LinkInfo },
  },
  'POST /admin/link/use': {
    summary: 'Set a password by a one-time link, and sign in',
    access: 'anyone',
    body: LinkUse,
    replies: { 200: SsoReply },
  },
  'POST /admin/auth': {
    summary: 'Check the session',
    ...account,
    replies: { 200: AdminReply(z.object({ username: z.string() })) },
  },
  'POST /admin/logout': { summary: 'Sign out', ...account, replies: { 200: AdminReply(SignedOut) } },
  'GET /admin/sso/:provider/start': {
    summary: 'Go to a provider to sign in',
    access: 'anyone',
    replies: { 302: null },
  },
  'GET /admin/sso/:provider/callback': {
    summary: 'Return from a provider, to /chatbot/index or /chatbot/login',
    access: 'anyone',
    replies: { 302: null },
  },
  'POST /admin/sso/:provider/logout': {
    summary: 'End sessions, as a provider',
    access: 'anyone',
    body: 'application/x-www-form-urlencoded',
    replies: { 200: null },
  },
  'POST /admin/sso/link': {
    summary: 'Sign in with an existing account, of which the password is given',
    access: 'anyone',
    body: Credentials,
    replies: { 200: SsoReply },
  },
  'POST /admin/sso/create': {
    summary: 'Sign in with a new account',
    access: 'anyone',
    replies: { 200: SsoReply },
  },
  'POST /admin/password': {
    summary: 'Change the password',
    ...account,
    body: PasswordChange,
    replies: { 200: DoneReply },
  },
  'GET /admin/sessions': { summary: 'List signed-in devices', ...account, replies: { 200: SessionList } },
  'DELETE /admin/sessions': { summary: 'Sign out everywhere', ...account, replies: { 200: DoneReply } },
  'DELETE /admin/sessions/:id': { summary: 'Sign out a device', ...account, replies: { 200: DoneReply } },
  'DELETE /admin/account': {
    summary: 'Delete the account',
    ...account,
    body: PasswordProof,
    replies: { 200: DoneReply },
  },
  'GET /admin/export': {
    summary: 'Download everything stored about the account',
    ...account,
    audit: 'export',
    replies: { 200: 'application/json' },
  },

  'POST /api/chat': {
    summary: 'Ask a question',
    ...ask,
    body: ChatQuestion,
    replies: { 200: AnyAnswer },
    events: AnswerEvent,
  },
  'GET /api/chat/:recordId': {
    summary: 'Follow an answer, after the unit in Last-Event-ID',
    ...ask,
    replies: {},
    events: AnswerEvent,
  },
  'POST /api/chat/:recordId/stop': { summary: 'Stop an answer', ...ask, replies: { 200: StopReply } },
  'POST /api/chat/:recordId/retry': {
    summary: 'Answer a question again',
    ...ask,
    body: RetryRequest,
    replies: { 200: AnyAnswer },
    events: AnswerEvent,
  },
  'GET /api/upload-rules': { summary: 'Read the limits for files', ...ask, replies: { 200: UploadRules } },
  'POST /api/predict': {
    summary: 'Ask with files',
    ...ask,
    query: z.object({ progress: z.literal('1').optional() }),
    body: PredictQuestion,
    files: 10,
    replies: { 200: PredictAnswer },
    events: AnswerEvent,
  },
  'GET /api/models': { summary: 'List the models', ...ask, replies: { 200: ModelList } },
  'GET /api/usage': { summary: "Read today's use of models", ...ask, replies: { 200: ModelUsage } },
  'GET /api/starters': { summary: 'List example questions', ...ask, replies: { 200: StarterList } },
  'GET /api/passages/:id': { summary: 'Read a cited passage', ...ask, replies: { 200: Passage } },
  'GET /api/files/:id': { summary: 'Download a file of a question', ...ask, replies: { 200: anyFile } },
  'GET /api/documents/:id': {
    summary: 'Describe a cited document',
    ...ask,
    replies: { 200: SourceDocument },
  },
  'GET /api/documents/:id/text': {
    summary: 'Read a part of a document',
    ...ask,
    query: SourceTextQuery,
    replies: { 200: SourceText },
  },
  'GET /api/documents/:id/file': { summary: 'Download a document', ...ask, replies: { 200: anyFile } },

  'GET /api/conversations': {
    summary: 'List conversations',
    ...ask,
    query: ConversationQuery,
    replies: { 200: ConversationPage },
  },
  'GET /api/conversations/:id/records': {
    summary: 'List the records of a conversation',
    ...ask,
    query: PageQuery,
    replies: { 200: RecordPage },
  },
  'PATCH /api/conversations/:id': {
    summary: 'Rename, pin or archive a conversation',
    ...ask,
    body: ConversationChange,
    replies: { 200: Conversation },
  },
  'DELETE /api/conversations/:id': {
    summary: 'Delete a conversation',
    ...ask,
    audit: 'records_deleted',
    replies: { 200: ConversationDeletion },
  },
  'GET /api/conversations/:id/export': {
    summary: 'Download a conversation',
    ...ask,
    audit: 'export',
    query: ConversationExportQuery,
    replies: { 200: anyFile },
  },
  'GET /api/shares': { summary: 'List shared links', ...ask, query: PageQuery, replies: { 200: SharePage } },
  'GET /api/conversations/:id/share': {
    summary: 'Read the link of a conversation',
    ...ask,
    replies: { 200: ShareState },
  },
  'POST /api/conversations/:id/share': {
    summary: 'Share a conversation by a new link',
    ...ask,
    body: ShareRequest,
    replies: { 200: NewShare },
  },
  'PATCH /api/conversations/:id/share': {
    summary: 'Update what a link shows',
    ...ask,
    body: ShareRequest,
    replies: { 200: Share },
  },
  'DELETE /api/conversations/:id/share': { summary: 'Revoke a link', ...ask, replies: { 204: null } },
  'POST /api/shared': {
    summary: 'Read a shared conversation',
    access: 'link',
    body: SharedRequest,
    replies: { 200: SharedConversation },
  },
  'POST /api/shared/file': {
    summary: 'Download a shared file',
    access: 'link',
    body: SharedFileRequest,
    replies: { 200: anyFile },
  },

  'GET /api/records': { summary: 'List records', ...ask, query: PageQuery, replies: { 200: RecordPage } },
  'GET /api/records/:id': { summary: 'Read a record', ...ask, replies: { 200: DeskRecord } },
  'GET /api/records/:id/why': { summary: 'Explain an answer', ...ask, replies: { 200: AnswerReason } },
  'POST /api/search': {
    summary: 'Search records',
    ...ask,
    body: SearchRequest,
    replies: { 200: SearchPage },
  },
  'GET /api/stats': {
    summary: 'Read statistics; prefer POST, because proxies write queries down',
    ...ask,
    query: RecordFilter,
    replies: { 200: RecordStats },
  },
  'POST /api/stats': {
    summary: 'Read statistics',
    ...ask,
    body: RecordFilter,
    replies: { 200: RecordStats },
  },
  'POST /api/feedback': {
    summary: 'Rate an answer',
    ...ask,
    body: FeedbackRequest,
    replies: { 200: FeedbackReply },
  },
  'POST /api/export': {
    summary: 'Download records: JSON is a RecordArchive',
    ...ask,
    audit: 'export',
    body: ExportRequest,
    replies: { 200: anyFile },
  },
  'POST /api/import': {
    summary: 'Import records',
    ...ask,
    body: RecordArchive,
    replies: { 200: ImportReply },
  },
  'POST /api/generate_pdf': {
    summary: 'Download a report',
    ...ask,
    body: PdfRequest,
    replies: { 200: 'application/pdf' },
  },
  'POST /api/preview_pdf': {
    summary: 'Preview a report',
    ...ask,
    body: PdfRequest,
    replies: { 200: 'application/pdf' },
  },

  'POST /api/delete_by_contact': {
    summary: "Delete a contact's records",
    ...ask,
    audit: 'records_deleted',
    body: DeleteByContact,
    replies: { 200: Deletion },
  },
  'POST /api/delete_by_date': {
    summary: 'Delete the records of days',
    ...ask,
    audit: 'records_deleted',
    body: DeleteByDate,
    replies: { 200: Deletion },
  },
  'POST /api/delete_by_ids': {
    summary: 'Delete selected records',
    ...ask,
    audit: 'records_deleted',
    body: DeleteByIds,
    replies: { 200: Deletion },
  },
  'POST /api/undo_delete': {
    summary: 'Undo a deletion',
    ...ask,
    audit: 'deletion_undone',
    body: UndoRequest,
    replies: { 200: UndoReply },
  },
  'POST /api/purge': {
    summary: 'Delete records for good',
    ...ask,
    audit: 'records_purged',
    body: UndoRequest,
    replies: { 200: PurgeReply },
  },
  'GET /api/bin': {
    summary: 'List what can be undone',
    ...ask,
    query: PageQuery,
    replies: { 200: BinPage },
  },

  'GET /api/contacts': {
    summary: 'List contacts',
    ...ask,
    query: ContactQuery,
    replies: { 200: ContactList },
  },
  'POST /api/contacts/search': {
    summary: 'Search contacts',
    ...ask,
    body: ContactSearch,
    replies: { 200: ContactList },
  },
  'POST /api/contacts/read': {
    summary: 'Read a contact',
    ...ask,
    body: ContactRequest,
    replies: { 200: ContactDetails },
  },
  'PATCH /api/contacts': {
    summary: 'Rename a contact or change its note',
    ...ask,
    body: ContactChange,
    replies: { 200: ContactChangeReply },
  },
  'POST /api/contacts/merge': {
    summary: 'Merge two contacts',
    ...ask,
    body: ContactMergeRequest,
    replies: { 200: ContactMergeReply },
  },
  'POST /api/undo_contact': {
    summary: 'Undo a merge or rename',
    ...ask,
    body: UndoRequest,
    replies: { 200: ContactUndoReply },
  },

  'GET /api/overview': {
    summary: 'Read counts of what all visitors ask',
    ...administer,
    query: OverviewQuery,
    replies: { 200: DeskOverview },
  },
  'GET /api/knowledge': {
    summary: 'Read the size of the knowledge base',
    ...account,
    replies: { 200: KnowledgeSummary },
  },
  'GET /api/knowledge/documents': {
    summary: 'List documents',
    ...account,
    query: KnowledgeQuery,
    replies: { 200: KnowledgeDocumentPage },
  },
  'POST /api/knowledge/documents/search': {
    summary: 'Search documents',
    ...account,
    body: KnowledgeSearch,
    replies: { 200: KnowledgeDocumentPage },
  },
  'POST /api/knowledge/documents': {
    summary: 'Upload a document',
    ...changeKnowledge,
    body: z.object({ title: z.string().exactOptional(), draft: z.literal('1').exactOptional() }),
    files: 1,
    replies: { 200: KnowledgeDocumentReply, 201: KnowledgeDocumentReply },
  },
  'GET /api/knowledge/documents/:id': {
    summary: 'Read a document',
    ...account,
    replies: { 200: KnowledgeDocumentReply },
  },
  'GET /api/knowledge/documents/:id/passages': {
    summary: 'List the passages of a document',
    ...account,
    query: PageQuery,
    replies: { 200: KnowledgePassagePage },
  },
  'PATCH /api/knowledge/documents/:id': {
    summary: 'Rename a document',
    ...changeKnowledge,
    body: DocumentTitle,
    replies: { 200: KnowledgeDocumentReply },
  },
  'POST /api/knowledge/documents/:id/publish': {
    summary: 'Publish a draft',
    ...changeKnowledge,
    replies: { 202: KnowledgeDocumentReply },
  },
  'POST /api/knowledge/documents/:id/reindex': {
    summary: 'Index a document again',
    ...changeKnowledge,
    replies: { 202: KnowledgeDocumentReply },
  },
  'DELETE /api/knowledge/documents/:id': {
    summary: 'Delete a document',
    ...changeKnowledge,
    replies: { 204: null },
  },
  'GET /api/knowledge/pairs': {
    summary: 'List curated pairs',
    ...account,
    query: KnowledgeQuery,
    replies: { 200: KnowledgePairPage },
  },
  'POST /api/knowledge/pairs/search': {
    summary: 'Search curated pairs',
    ...account,
    body: KnowledgeSearch,
    replies: { 200: KnowledgePairPage },
  },
  'POST /api/knowledge/pairs': {
    summary: 'Add a pair',
    ...changeKnowledge,
    body: NewKnowledgePair,
    replies: { 201: KnowledgePairReply },
  },
  'PUT /api/knowledge/pairs/:id': {
    summary: 'Change a pair',
    ...changeKnowledge,
    body: KnowledgePairRequest,
    replies: { 200: KnowledgePairReply },
  },
  'DELETE /api/knowledge/pairs/:id': { summary: 'Delete a pair', ...changeKnowledge, replies: { 204: null } },
  'GET /api/knowledge/unanswered': {
    summary: 'List unanswered questions',
    ...editKnowledge,
    query: UnansweredQuery,
    replies: { 200: UnansweredPage },
  },
  'POST /api/knowledge/unanswered/:id/answer': {
    summary: 'Answer unanswered questions by a pair',
    ...changeKnowledge,
    body: UnansweredAnswer,
    replies: { 201: KnowledgePairReply },
  },
  'POST /api/knowledge/unanswered/ask-again': {
    summary: 'Ask unanswered questions again',
    ...editKnowledge,
    replies: { 202: AskedAgain },
  },
  'POST /api/knowledge/unanswered/:id/reopen': {
    summary: 'Put a question back that has an answer now',
    ...changeKnowledge,
    replies: { 204: null },
  },
  'POST /api/knowledge/unanswered/:id/dismiss': {
    summary: 'Dismiss unanswered questions',
    ...changeKnowledge,
    replies: { 204: null },
  },
  'GET /api/knowledge/synonyms': {
    summary: 'Read the synonyms',
    ...editKnowledge,
    replies: { 200: SynonymList },
  },
  'PUT /api/knowledge/synonyms': {
    summary: 'Replace the synonyms',
    ...changeKnowledge,
    body: SynonymChange,
    replies: { 200: SynonymList },
  },
  'POST /api/knowledge/check': {
    summary: 'Determine which answers a change would alter',
    ...editKnowledge,
    body: KnowledgeChange,
    replies: { 200: KnowledgeCheck },
  },
  'POST /api/knowledge/try': {
    summary: 'Try a question',
    ...editKnowledge,
    body: TrialQuestion,
    replies: { 200: TriedQuestion },
  },
  'GET /api/knowledge/golden': {
    summary: 'List golden questions',
    ...editKnowledge,
    replies: { 200: GoldenList },
  },
  'GET /api/knowledge/golden/rated': {
    summary: 'List own questions with helpful answers',
    ...editKnowledge,
    replies: { 200: RatedQuestions },
  },
  'POST /api/knowledge/golden': {
    summary: 'Add a golden question',
    ...changeKnowledge,
    body: GoldenRequest,
    replies: { 201: GoldenReply },
  },
  'PUT /api/knowledge/golden/:id': {
    summary: 'Change a golden question',
    ...changeKnowledge,
    body: GoldenRequest,
    replies: { 200: GoldenReply },
  },
  'DELETE /api/knowledge/golden/:id': {
    summary: 'Delete a golden question',
    ...changeKnowledge,
    replies: { 204: null },
  },
  'POST /api/knowledge/golden/import': {
    summary: 'Import golden questions',
    ...changeKnowledge,
    body: GoldenImport,
    replies: { 200: GoldenImportReply },
  },
  'POST /api/knowledge/golden/run': {
    summary: 'Ask all golden questions again',
    ...editKnowledge,
    replies: { 202: GoldenList },
  },
  'GET /api/knowledge/export': {
    summary: 'Download the knowledge base',
    ...editKnowledge,
    audit: 'export',
    replies: { 200: KnowledgeArchive },
  },
  'POST /api/knowledge/import': {
    summary: 'Import knowledge',
    ...changeKnowledge,
    body: KnowledgeArchive,
    replies: { 200: KnowledgeImportReply },
  },

  'POST /api/handovers': {
    summary: 'Ask for a person',
    ...ask,
    body: HandoverRequest,
    replies: { 200: Handover, 201: Handover },
  },
  'GET /api/handovers/expectation': {
    summary: 'Read the usual time until a reply',
    ...ask,
    replies: { 200: ResponseTime },
  },
  'GET /api/handovers/events': {
    summary: 'Follow own handovers',
    ...ask,
    replies: {},
    events: HandoverEvent,
  },
  'POST /api/handovers/:id/messages': {
    summary: 'Write to a person',
    ...ask,
    body: HandoverMessageRequest,
    replies: { 200: Handover },
  },
  'POST /api/handovers/:id/close': { summary: 'Close a handover', ...ask, replies: { 200: Handover } },
  'GET /api/conversations/:id/handovers': {
    summary: 'List the handovers of a conversation',
    ...ask,
    replies: { 200: HandoverList },
  },
  'POST /api/conversations/:id/handovers/seen': {
    summary: 'Mark the replies in a conversation as read',
    ...ask,
    replies: { 200: HandoverList },
  },
  'GET /api/inbox': {
    summary: 'List handovers, for agents',
    ...answerPeople,
    query: InboxQuery,
    replies: { 200: InboxPage },
  },
  'GET /api/inbox/summary': { summary: 'Count open handovers', ...account, replies: { 200: InboxSummary } },
  'GET /api/inbox/events': { summary: 'Follow the inbox', ...answerPeople, replies: {}, events: InboxEvent },
  'GET /api/inbox/:id': {
    summary: 'Read a handover',
    ...answerPeople,
    audit: 'conversation_read',
    replies: { 200: InboxDetail },
  },
  'POST /api/inbox/:id/take': { summary: 'Take a handover', ...answerPeople, replies: { 200: InboxDetail } },
  'POST /api/inbox/:id/release': {
    summary: 'Release a handover',
    ...answerPeople,
    replies: { 200: InboxDetail },
  },
  'POST /api/inbox/:id/close': {
    summary: 'Close a handover as agent',
    ...answerPeople,
    replies: { 200: InboxDetail },
  },
  'POST /api/inbox/:id/messages': {
    summary: 'Reply to a visitor',
    ...answerPeople,
    body: HandoverMessageRequest,
    replies: { 200: InboxDetail },
  },
  'POST /api/inbox/:id/pair': {
    summary: 'Add the answer to the knowledge base',
    ...answerPeople,
    audit: 'knowledge_changed',
    body: InboxPairRequest,
    replies: { 200: InboxDetail },
  },

  'GET /api/desk': {
    summary: 'Read name, greeting and contact details of the desk',
    access: 'anyone',
    replies: { 200: DeskInfo, 304: null },
  },
  'GET /api/desk/logo': {
    summary: 'Download the logo',
    access: 'anyone',
    query: z.object({ v: z.string().optional() }),
    replies: { 200: 'image/*', 304: null },
  },
  'POST /api/people/search': {
    summary: 'Search accounts',
    ...administer,
    body: PeopleSearch,
    replies: { 200: PeoplePage },
  },
  'PATCH /api/people/:id': {
    summary: 'Change the roles of an account, or disable it',
    ...administer,
    body: PersonChange,
    replies: { 200: Person },
  },
  'DELETE /api/people/:id': {
    summary: 'Delete an account with everything, after UNDO_DAYS',
    ...administer,
    replies: { 200: Person },
  },
  'POST /api/people/:id/password-link': {
    summary: 'Make a link that sets the password of an account',
    ...administer,
    replies: { 201: OneTimeLink },
  },
  'POST /api/people/invitations': {
    summary: 'Make a link that creates an account',
    ...administer,
    body: InvitationRequest,
    replies: { 201: OneTimeLink },
  },
  'POST /api/audit/search': {
    summary: 'Search the audit log',
    ...administer,
    body: AuditSearch,
    replies: { 200: AuditPage },
  },
  'POST /api/audit/verify': {
    summary: 'Verify that the audit log is complete and unchanged',
    ...administer,
    replies: { 200: AuditCheck },
  },
  'POST /api/audit/export': {
    summary: 'Download the audit log as CSV',
    ...administer,
    audit: 'export',
    body: AuditFilter,
    replies: { 200: 'text/csv' },
  },
  'GET /api/settings/access': {
    summary: 'Read whether the caller is an administrator',
    ...account,
    replies: { 200: SettingsAccess },
  },
  'GET /api/settings': { summary: 'Read the settings', ...administer, replies: { 200: SettingsReply } },
  'PUT /api/settings': {
    summary: 'Replace the settings',
    ...changeSettings,
    body: SettingsChange,
    replies: { 200: SettingsReply },
  },
  'POST /api/settings/restore': {
    summary: 'Restore an earlier revision of the settings',
    ...changeSettings,
    body: SettingsRestore,
    replies: { 200: SettingsReply },
  },
  'GET /api/settings/history': {
    summary: 'List changes of the settings',
    ...administer,
    query: PageQuery,
    replies: { 200: SettingsHistory },
  },
  'GET /api/settings/retention': {
    summary: 'Count the records that would be due',
    ...administer,
    query: RetentionQuery,
    replies: { 200: RetentionPreview },
  },
  'PUT /api/settings/logo': {
    summary: 'Upload a logo',
    ...changeSettings,
    body: 'image/*',
    replies: { 200: LogoReply },
  },

  ...opsOperations,
};
