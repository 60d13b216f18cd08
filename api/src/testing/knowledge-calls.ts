import type { ErrorBody } from '../contract/error-body.ts';
import type { KnowledgeDocumentInfo, KnowledgePair, NewKnowledgePair } from '../contract/knowledge.ts';
import { until } from './until.ts';
import type { Reply, Visitor } from './visitor.ts';

type DocumentReply = { document: KnowledgeDocumentInfo } & ErrorBody;
type PairReply = { pair: KnowledgePair } & ErrorBody;

/** Uploads a file to the knowledge base. */
export async function addDocument(
  visitor: Visitor,
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  title?: string,
  collectionId?: string,
): Promise<Reply<DocumentReply>> {
  const form = new FormData();
  form.set('file', new File([content], name));
  if (title !== undefined) form.set('title', title);
  if (collectionId !== undefined) form.set('collection', collectionId);
  const response = await visitor.fetch('POST', '/api/knowledge/documents', { body: form });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as DocumentReply,
  };
}

/** Polls a document until it is indexed or has failed. */
export function whenIndexed(visitor: Visitor, id: string): Promise<KnowledgeDocumentInfo> {
  return until(async () => {
    const { status, body } = await visitor.call<DocumentReply>('GET', `/api/knowledge/documents/${id}`);
    if (status !== 200) throw new Error(`expected a document, got ${status} ${JSON.stringify(body)}`);
    return body.document.status !== 'indexing' && body.document;
  });
}

/** Uploads a file and waits until it is indexed. */
export async function givenDocument(
  visitor: Visitor,
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  title?: string,
  collectionId?: string,
): Promise<KnowledgeDocumentInfo> {
  const { status, body } = await addDocument(visitor, name, content, title, collectionId);
  if (status !== 201) throw new Error(`expected a new document, got ${status} ${JSON.stringify(body)}`);
  return whenIndexed(visitor, body.document.id);
}

export function addPair(visitor: Visitor, pair: NewKnowledgePair): Promise<Reply<PairReply>> {
  return visitor.call<PairReply>('POST', '/api/knowledge/pairs', pair);
}

export async function givenPair(visitor: Visitor, pair: NewKnowledgePair): Promise<KnowledgePair> {
  const { status, body } = await addPair(visitor, pair);
  if (status !== 201) throw new Error(`expected a new pair, got ${status} ${JSON.stringify(body)}`);
  return body.pair;
}
