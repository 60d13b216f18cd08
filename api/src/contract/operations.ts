import { z } from 'zod';
import * as accounts from './accounts.ts';
import { AnswerReason, Passage, StarterList } from './answers.ts';
import * as archives from './archives.ts';
import { AuditCheck, AuditFilter, AuditPage, AuditSearch } from './audit.ts';
import * as chat from './chat.ts';
import { CollectionId, CollectionList, CollectionRequest } from './collections.ts';
import * as contacts from './contacts.ts';
import * as deletions from './deletions.ts';
import { SourceDocument, SourceText, SourceTextQuery } from './documents.ts';
import { PageQuery } from './fields.ts';
import { UploadRules } from './files.ts';
import * as golden from './golden.ts';
import * as handover from './handover.ts';
import * as knowledge from './knowledge.ts';
import { ModelList, ModelUsage } from './models.ts';
import { InvitationRequest, LinkInfo, LinkQuery, LinkUse, OneTimeLink } from './one-time-links.ts';
import { callsOf, type Operation } from './operation.ts';
import { opsOperations } from './ops-operations.ts';
import { DeskOverview, OverviewQuery } from './overview.ts';
import { NewPasskey, PasskeyOptions, PasskeyProof, PasskeySignIn } from './passkeys.ts';
import * as people from './people.ts';
import * as records from './records.ts';
import * as search from './search.ts';
import * as settings from './settings.ts';
import * as sharing from './sharing.ts';
import { ConfirmPage, ConfirmRequest, FrontChannelLogout, SignedOut, SsoSession } from './single-sign-on.ts';
import { SynonymChange, SynonymList } from './synonyms.ts';

const anyone = callsOf('anyone');
const byLink = callsOf('link');
const account = callsOf('account');
const ask = callsOf('ask');
const answerPeople = callsOf('answer_people');
/** They reply with the conversation. */
const readConversation = callsOf('answer_people', 'conversation_read');
const editKnowledge = callsOf('edit_knowledge');
const changeKnowledge = callsOf('edit_knowledge', 'knowledge_changed');
const editCollection = callsOf('edit_collection');
const changeCollection = callsOf('edit_collection', 'knowledge_changed');
const administer = callsOf('administer');
const changeRights = callsOf('administer', 'permission_changed');
const changeSettings = callsOf('administer', 'settings_changed');
const TokenReply = accounts.AdminReply(z.string());
const SsoReply = accounts.AdminReply(SsoSession);
const DoneReply = TokenReply.omit({ data: true });
/** In a conversation with files, the answer describes them. */
const AnyAnswer = chat.PredictAnswer.or(chat.ChatAnswer);
const ContactList = z.union([contacts.ContactSummaryPage, search.ContactPage]);
const anyFile = '*/*';

/** Every call, by method and path. */
export const operations: Record<string, Operation> = {
  'GET /api/openapi.json': anyone('This description', { 200: z.record(z.string(), z.unknown()), 304: null }),

  'POST /admin/register': anyone('Create an account and sign in', {
    body: accounts.Credentials,
    200: TokenReply,
  }),
  'POST /admin/login': anyone('Sign in', {
    body: accounts.Credentials,
    200: accounts.SignInReply(z.string()),
  }),
  'POST /admin/login/code': anyone('Sign in with the code of a second factor, after the password', {
    body: accounts.CodeAnswer,
    200: accounts.SignInReply(SsoSession),
  }),
  'POST /admin/link': anyone('Read what a one-time link is for', { body: LinkQuery, 200: LinkInfo }),
  'POST /admin/link/use': anyone('Set a password by a one-time link, and sign in', {
    body: LinkUse,
    200: SsoReply,
  }),
  'POST /admin/auth': account('Check the session', {
    200: accounts.AdminReply(z.object({ username: z.string() })),
  }),
  'POST /admin/logout': account('Sign out', { 200: accounts.AdminReply(SignedOut) }),
  'GET /admin/sso/:provider/start': anyone('Go to a provider to sign in', { 302: null }),
  'GET /admin/sso/:provider/callback': anyone('Return from a provider, to /chatbot/index or /chatbot/login', {
    302: null,
  }),
  'POST /admin/sso/:provider/logout': anyone('End sessions, as a provider', {
    body: 'application/x-www-form-urlencoded',
    200: null,
  }),
  'GET /admin/sso/:provider/frontchannel-logout': anyone(
    'End a session, from a frame on a page of the provider',
    { query: FrontChannelLogout, 200: null },
  ),
  'POST /admin/sso/link': anyone('Sign in with an existing account, of which the password is given', {
    body: accounts.LinkCredentials,
    200: SsoReply,
  }),
  'POST /admin/sso/confirm': account('Go to the provider to sign in again, before a decision', {
    body: ConfirmRequest,
    200: ConfirmPage,
  }),
  'POST /admin/sso/create': anyone('Sign in with a new account', { 200: SsoReply }),
  'POST /admin/password': account('Change the password', { body: accounts.PasswordChange, 200: DoneReply }),
  'GET /admin/second-factor': account('Read whether the account has a second factor', {
    200: accounts.SecondFactorState,
  }),
  'POST /admin/second-factor/secret': account('Make a secret for an authenticator app', {
    200: accounts.AdminReply(accounts.SecondFactorSecret),
  }),
  'POST /admin/second-factor': account('Switch on the second factor, by a first code', {
    body: accounts.SecondFactorProof,
    200: accounts.AdminReply(accounts.RecoveryCodes),
  }),
  'POST /admin/second-factor/recovery-codes': account('Replace the recovery codes', {
    body: accounts.SecondFactorProof,
    200: accounts.AdminReply(accounts.RecoveryCodes),
  }),
  'DELETE /admin/second-factor': account('Switch off the second factor', {
    body: accounts.SecondFactorProof,
    200: DoneReply,
  }),
  'POST /admin/passkeys/challenge': account('Begin to add a passkey', {
    body: PasskeyProof,
    200: accounts.AdminReply(PasskeyOptions),
  }),
  'POST /admin/passkeys': account('Add a passkey', { body: NewPasskey, 200: DoneReply }),
  'DELETE /admin/passkeys/:id': account('Remove a passkey', { 200: DoneReply }),
  'POST /admin/passkeys/sign-in/challenge': anyone('Begin to sign in with a passkey', {
    200: PasskeyOptions,
  }),
  'POST /admin/passkeys/sign-in': anyone('Sign in with a passkey', { body: PasskeySignIn, 200: SsoReply }),
  'GET /admin/sessions': account('List signed-in devices', { 200: accounts.SessionList }),
  'DELETE /admin/sessions': account('Sign out everywhere', { 200: DoneReply }),
  'DELETE /admin/sessions/:id': account('Sign out a device', { 200: DoneReply }),
  'DELETE /admin/account': account('Delete the account', { body: accounts.Proof, 200: DoneReply }),
  'GET /admin/export': account('Download everything stored about the account', {
    audit: 'export',
    200: 'application/json',
  }),

  'POST /api/chat': ask('Ask a question', {
    body: chat.ChatQuestion,
    200: AnyAnswer,
    events: chat.AnswerEvent,
  }),
  'GET /api/chat/:recordId': ask('Follow an answer, after the unit in Last-Event-ID', {
    events: chat.AnswerEvent,
  }),
  'POST /api/chat/:recordId/stop': ask('Stop an answer', { 200: chat.StopReply }),
  'POST /api/chat/:recordId/retry': ask('Answer a question again', {
    body: chat.RetryRequest,
    200: AnyAnswer,
    events: chat.AnswerEvent,
  }),
  'GET /api/upload-rules': ask('Read the limits for files', { 200: UploadRules }),
  'POST /api/predict': ask('Ask with files', {
    query: z.object({ progress: z.literal('1').optional() }),
    body: chat.PredictQuestion,
    files: 10,
    200: chat.PredictAnswer,
    events: chat.AnswerEvent,
  }),
  'GET /api/models': ask('List the models', { 200: ModelList }),
  'GET /api/usage': ask("Read today's use of models", { 200: ModelUsage }),
  'GET /api/starters': ask('List example questions', { 200: StarterList }),
  'GET /api/passages/:id': ask('Read a cited passage', { 200: Passage }),
  'GET /api/files/:id': ask('Download a file of a question', { 200: anyFile }),
  'GET /api/documents/:id': ask('Describe a cited document', { 200: SourceDocument }),
  'GET /api/documents/:id/text': ask('Read a part of a document', {
    query: SourceTextQuery,
    200: SourceText,
  }),
  'GET /api/documents/:id/file': ask('Download a document', { 200: anyFile }),

  'GET /api/conversations': ask('List conversations', {
    query: records.ConversationQuery,
    200: records.ConversationPage,
  }),
  'GET /api/conversations/:id/records': ask('List the records of a conversation', {
    query: PageQuery,
    200: records.RecordPage,
  }),
  'PATCH /api/conversations/:id': ask('Rename, pin or archive a conversation', {
    body: records.ConversationChange,
    200: records.Conversation,
  }),
  'DELETE /api/conversations/:id': ask('Delete a conversation', {
    audit: 'records_deleted',
    200: deletions.ConversationDeletion,
  }),
  'GET /api/conversations/:id/export': ask('Download a conversation', {
    audit: 'export',
    query: archives.ConversationExportQuery,
    200: anyFile,
  }),
  'GET /api/shares': ask('List shared links', { query: PageQuery, 200: sharing.SharePage }),
  'GET /api/conversations/:id/share': ask('Read the link of a conversation', { 200: sharing.ShareState }),
  'POST /api/conversations/:id/share': ask('Share a conversation by a new link', {
    body: sharing.ShareRequest,
    200: sharing.NewShare,
  }),
  'PATCH /api/conversations/:id/share': ask('Update what a link shows', {
    body: sharing.ShareRequest,
    200: sharing.Share,
  }),
  'DELETE /api/conversations/:id/share': ask('Revoke a link', { 204: null }),
  'POST /api/shared': byLink('Read a shared conversation', {
    body: sharing.SharedRequest,
    200: sharing.SharedConversation,
  }),
  'POST /api/shared/file': byLink('Download a shared file', {
    body: sharing.SharedFileRequest,
    200: anyFile,
  }),

  'GET /api/records': ask('List records', { query: PageQuery, 200: records.RecordPage }),
  'GET /api/records/:id': ask('Read a record', { 200: records.DeskRecord }),
  'GET /api/records/:id/why': ask('Explain an answer', { 200: AnswerReason }),
  'POST /api/search': ask('Search records', { body: search.SearchRequest, 200: search.SearchPage }),
  'GET /api/stats': ask('Read statistics; prefer POST, because proxies write queries down', {
    query: search.RecordFilter,
    200: search.RecordStats,
  }),
  'POST /api/stats': ask('Read statistics', { body: search.RecordFilter, 200: search.RecordStats }),
  'POST /api/feedback': ask('Rate an answer', { body: search.FeedbackRequest, 200: search.FeedbackReply }),
  'POST /api/export': ask('Download records: JSON is a RecordArchive', {
    audit: 'export',
    body: archives.ExportRequest,
    200: anyFile,
  }),
  'POST /api/import': ask('Import records', { body: archives.RecordArchive, 200: archives.ImportReply }),
  'POST /api/generate_pdf': ask('Download a report', { body: archives.PdfRequest, 200: 'application/pdf' }),
  'POST /api/preview_pdf': ask('Preview a report', { body: archives.PdfRequest, 200: 'application/pdf' }),

  'POST /api/delete_by_contact': ask("Delete a contact's records", {
    audit: 'records_deleted',
    body: deletions.DeleteByContact,
    200: deletions.Deletion,
  }),
  'POST /api/delete_by_date': ask('Delete the records of days', {
    audit: 'records_deleted',
    body: deletions.DeleteByDate,
    200: deletions.Deletion,
  }),
  'POST /api/delete_by_ids': ask('Delete selected records', {
    audit: 'records_deleted',
    body: deletions.DeleteByIds,
    200: deletions.Deletion,
  }),
  'POST /api/undo_delete': ask('Undo a deletion', {
    audit: 'deletion_undone',
    body: deletions.UndoRequest,
    200: deletions.UndoReply,
  }),
  'POST /api/purge': ask('Delete records for good', {
    audit: 'records_purged',
    body: deletions.UndoRequest,
    200: deletions.PurgeReply,
  }),
  'GET /api/bin': ask('List what can be undone', { query: PageQuery, 200: deletions.BinPage }),

  'GET /api/contacts': ask('List contacts', { query: contacts.ContactQuery, 200: ContactList }),
  'POST /api/contacts/search': ask('Search contacts', { body: contacts.ContactSearch, 200: ContactList }),
  'POST /api/contacts/read': ask('Read a contact', {
    body: contacts.ContactRequest,
    200: contacts.ContactDetails,
  }),
  'PATCH /api/contacts': ask('Rename a contact or change its note', {
    body: contacts.ContactChange,
    200: contacts.ContactChangeReply,
  }),
  'POST /api/contacts/merge': ask('Merge two contacts', {
    body: contacts.ContactMergeRequest,
    200: contacts.ContactMergeReply,
  }),
  'POST /api/undo_contact': ask('Undo a merge or rename', {
    body: deletions.UndoRequest,
    200: contacts.ContactUndoReply,
  }),

  'GET /api/overview': administer('Read counts of what all visitors ask', {
    query: OverviewQuery,
    200: DeskOverview,
  }),
  'GET /api/knowledge': account('Read the size of the knowledge base', { 200: knowledge.KnowledgeSummary }),
  'GET /api/knowledge/collections': account('List the collections that the caller may read', {
    200: CollectionList,
  }),
  'POST /api/knowledge/collections': changeRights('Add a collection', {
    body: CollectionRequest,
    201: CollectionList,
  }),
  'PUT /api/knowledge/collections/:id': changeRights('Change the name, readers and editors of a collection', {
    body: CollectionRequest,
    200: CollectionList,
  }),
  'DELETE /api/knowledge/collections/:id': changeRights('Delete an empty collection', {
    200: CollectionList,
  }),
  'GET /api/knowledge/documents': account('List documents', {
    query: knowledge.KnowledgeQuery,
    200: knowledge.KnowledgeDocumentPage,
  }),
  'POST /api/knowledge/documents/search': account('Search documents', {
    body: knowledge.KnowledgeSearch,
    200: knowledge.KnowledgeDocumentPage,
  }),
  'POST /api/knowledge/documents': changeCollection('Upload a document', {
    body: z.object({
      title: z.string().exactOptional(),
      draft: z.literal('1').exactOptional(),
      collection: CollectionId.exactOptional(),
    }),
    files: 1,
    200: knowledge.KnowledgeDocumentReply,
    201: knowledge.KnowledgeDocumentReply,
  }),
  'GET /api/knowledge/documents/:id': account('Read a document', { 200: knowledge.KnowledgeDocumentReply }),
  'GET /api/knowledge/documents/:id/passages': account('List the passages of a document', {
    query: PageQuery,
    200: knowledge.KnowledgePassagePage,
  }),
  'PATCH /api/knowledge/documents/:id': changeCollection('Rename or move a document', {
    body: knowledge.DocumentChange,
    200: knowledge.KnowledgeDocumentReply,
  }),
  'POST /api/knowledge/documents/:id/publish': changeCollection('Publish a draft', {
    202: knowledge.KnowledgeDocumentReply,
  }),
  'POST /api/knowledge/documents/:id/reindex': changeCollection('Index a document again', {
    202: knowledge.KnowledgeDocumentReply,
  }),
  'DELETE /api/knowledge/documents/:id': changeCollection('Delete a document', { 204: null }),
  'GET /api/knowledge/pairs': account('List curated pairs', {
    query: knowledge.KnowledgeQuery,
    200: knowledge.KnowledgePairPage,
  }),
  'POST /api/knowledge/pairs/search': account('Search curated pairs', {
    body: knowledge.KnowledgeSearch,
    200: knowledge.KnowledgePairPage,
  }),
  'POST /api/knowledge/pairs': changeCollection('Add a pair', {
    body: knowledge.NewKnowledgePair,
    201: knowledge.KnowledgePairReply,
  }),
  'PUT /api/knowledge/pairs/:id': changeCollection('Change a pair', {
    body: knowledge.KnowledgePairRequest,
    200: knowledge.KnowledgePairReply,
  }),
  'DELETE /api/knowledge/pairs/:id': changeCollection('Delete a pair', { 204: null }),
  'GET /api/knowledge/unanswered': editCollection('List unanswered questions', {
    query: knowledge.UnansweredQuery,
    200: knowledge.UnansweredPage,
  }),
  'POST /api/knowledge/unanswered/:id/answer': changeCollection('Answer unanswered questions by a pair', {
    body: knowledge.UnansweredAnswer,
    201: knowledge.KnowledgePairReply,
  }),
  'POST /api/knowledge/unanswered/ask-again': editCollection('Ask unanswered questions again', {
    202: knowledge.AskedAgain,
  }),
  'POST /api/knowledge/unanswered/:id/reopen': changeCollection(
    'Put a question back that has an answer now',
    { 204: null },
  ),
  'POST /api/knowledge/unanswered/:id/dismiss': changeCollection('Dismiss unanswered questions', {
    204: null,
  }),
  'GET /api/knowledge/synonyms': editKnowledge('Read the synonyms', { 200: SynonymList }),
  'PUT /api/knowledge/synonyms': changeKnowledge('Replace the synonyms', {
    body: SynonymChange,
    200: SynonymList,
  }),
  'POST /api/knowledge/check': editCollection('Determine which answers a change would alter', {
    body: knowledge.KnowledgeChange,
    200: knowledge.KnowledgeCheck,
  }),
  'POST /api/knowledge/try': editCollection('Try a question', {
    body: knowledge.TrialQuestion,
    200: knowledge.TriedQuestion,
  }),
  'GET /api/knowledge/golden': editCollection('List golden questions', { 200: golden.GoldenList }),
  'GET /api/knowledge/golden/rated': editCollection('List own questions with helpful answers', {
    200: golden.RatedQuestions,
  }),
  'POST /api/knowledge/golden': changeCollection('Add a golden question', {
    body: golden.NewGolden,
    201: golden.GoldenReply,
  }),
  'PUT /api/knowledge/golden/:id': changeCollection('Change a golden question', {
    body: golden.GoldenRequest,
    200: golden.GoldenReply,
  }),
  'DELETE /api/knowledge/golden/:id': changeCollection('Delete a golden question', { 204: null }),
  'POST /api/knowledge/golden/import': changeCollection('Import golden questions', {
    body: golden.GoldenImport,
    200: golden.GoldenImportReply,
  }),
  'POST /api/knowledge/golden/run': editCollection('Ask all golden questions again', {
    202: golden.GoldenList,
  }),
  'GET /api/knowledge/export': editCollection('Download a collection', {
    audit: 'export',
    query: knowledge.ArchiveQuery,
    200: knowledge.KnowledgeArchive,
  }),
  'POST /api/knowledge/import': changeCollection('Import knowledge into a collection', {
    query: knowledge.ArchiveQuery,
    body: knowledge.KnowledgeArchive,
    200: knowledge.KnowledgeImportReply,
  }),

  'POST /api/handovers': ask('Ask for a person', {
    body: handover.HandoverRequest,
    200: handover.Handover,
    201: handover.Handover,
  }),
  'GET /api/handovers/expectation': ask('Read the usual time until a reply', { 200: handover.ResponseTime }),
  'GET /api/handovers/events': ask('Follow own handovers', { events: handover.HandoverEvent }),
  'POST /api/handovers/:id/messages': ask('Write to a person', {
    body: handover.HandoverMessageRequest,
    200: handover.Handover,
  }),
  'POST /api/handovers/:id/close': ask('Close a handover', { 200: handover.Handover }),
  'GET /api/conversations/:id/handovers': ask('List the handovers of a conversation', {
    200: handover.HandoverList,
  }),
  'POST /api/conversations/:id/handovers/seen': ask('Mark the replies in a conversation as read', {
    200: handover.HandoverList,
  }),
  'GET /api/inbox': answerPeople('List handovers, for agents', {
    query: handover.InboxQuery,
    200: handover.InboxPage,
  }),
  'GET /api/inbox/summary': account('Count open handovers', { 200: handover.InboxSummary }),
  'GET /api/inbox/events': answerPeople('Follow the inbox', { events: handover.InboxEvent }),
  'GET /api/inbox/:id': readConversation('Read a handover', { 200: handover.InboxDetail }),
  'POST /api/inbox/:id/take': readConversation('Take a handover', { 200: handover.InboxDetail }),
  'POST /api/inbox/:id/release': readConversation('Release a handover', { 200: handover.InboxDetail }),
  'POST /api/inbox/:id/close': readConversation('Close a handover as agent', { 200: handover.InboxDetail }),
  'POST /api/inbox/:id/messages': readConversation('Reply to a visitor', {
    body: handover.HandoverMessageRequest,
    200: handover.InboxDetail,
  }),
  'POST /api/inbox/:id/pair': answerPeople('Add the answer to the knowledge base', {
    audit: 'knowledge_changed',
    body: handover.InboxPairRequest,
    200: handover.InboxDetail,
  }),

  'GET /api/desk': anyone('Read name, greeting and contact details of the desk', {
    200: settings.DeskInfo,
    304: null,
  }),
  'GET /api/desk/logo': anyone('Download the logo', {
    query: z.object({ v: z.string().optional() }),
    200: 'image/*',
    304: null,
  }),
  'POST /api/people/search': administer('Search accounts', {
    body: people.PeopleSearch,
    200: people.PeoplePage,
  }),
  'PATCH /api/people/:id': administer('Change the roles and groups of an account, or disable it', {
    body: people.PersonChange,
    200: people.Person,
  }),
  'DELETE /api/people/:id': administer('Delete an account with everything, after UNDO_DAYS', {
    200: people.Person,
  }),
  'GET /api/people/:id/shared': administer('Count what an account is responsible for and others use', {
    200: people.SharedThings,
  }),
  'POST /api/people/:id/transfer': administer('Transfer that to another account', {
    body: people.PersonTransfer,
    200: people.SharedThings,
  }),
  'POST /api/people/:id/password-link': administer('Make a link that sets the password of an account', {
    201: OneTimeLink,
  }),
  'POST /api/people/invitations': administer('Make a link that creates an account', {
    body: InvitationRequest,
    201: OneTimeLink,
  }),
  'GET /api/people/groups': administer('List groups', { 200: people.GroupList }),
  'POST /api/people/groups': changeRights('Add a group', { body: people.GroupRequest, 201: people.Group }),
  'PUT /api/people/groups/:id': changeRights('Change a group', {
    body: people.GroupRequest,
    200: people.Group,
  }),
  'DELETE /api/people/groups/:id': changeRights('Delete a group', { 204: null }),
  'POST /api/audit/search': administer('Search the audit log', { body: AuditSearch, 200: AuditPage }),
  'POST /api/audit/verify': administer('Verify that the audit log is complete and unchanged', {
    200: AuditCheck,
  }),
  'POST /api/audit/export': administer('Download the audit log as CSV', {
    audit: 'export',
    body: AuditFilter,
    200: 'text/csv',
  }),
  'GET /api/settings/access': account('Read whether the caller is an administrator', {
    200: settings.SettingsAccess,
  }),
  'GET /api/settings': administer('Read the settings', { 200: settings.SettingsReply }),
  'PUT /api/settings': changeSettings('Replace the settings', {
    body: settings.SettingsChange,
    200: settings.SettingsReply,
  }),
  'POST /api/settings/restore': changeSettings('Restore an earlier revision of the settings', {
    body: settings.SettingsRestore,
    200: settings.SettingsReply,
  }),
  'GET /api/settings/history': administer('List changes of the settings', {
    query: PageQuery,
    200: settings.SettingsHistory,
  }),
  'GET /api/settings/retention': administer('Count the records that would be due', {
    query: settings.RetentionQuery,
    200: settings.RetentionPreview,
  }),
  'PUT /api/settings/logo': changeSettings('Upload a logo', { body: 'image/*', 200: settings.LogoReply }),

  ...opsOperations,
};
