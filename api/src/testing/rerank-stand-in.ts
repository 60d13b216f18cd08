import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';

export interface RerankRequest {
  model: string;
  query: string;
  documents?: string[];
  texts?: string[];
}

export interface RerankStandIn {
  /** The value for RERANK_BASE_URL. */
  baseUrl: string;
  requests: RerankRequest[];
  headers: (string | undefined)[];
  /** Relevance of a document. */
  rate: (query: string, document: string) => number;
  /** The response instead of relevances: a body, a status, or `hang` for none. */
  reply: null | 'hang' | { status?: number; body?: string };
  /** Speaks the protocol of Text Embeddings Inference. */
  isTei: boolean;
  end(): Promise<void>;
}

/** A local server with the `/v1/rerank` API. Results are sorted by relevance. */
export async function startRerankStandIn(): Promise<RerankStandIn> {
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(await readText(request)) as RerankRequest;
    stand.requests.push(asked);
    stand.headers.push(request.headers.authorization);
    if (stand.reply === 'hang') return;
    const texts = stand.isTei ? asked.texts : asked.documents;
    if (stand.reply || !texts || request.url !== '/v1/rerank') {
      response.writeHead(stand.reply?.status ?? (stand.reply ? 200 : 422)).end(stand.reply?.body ?? '');
      return;
    }
    const rows = texts
      .map((text, index) => ({ index, score: stand.rate(asked.query, text) }))
      .sort((one, other) => other.score - one.score);
    const results = rows.map(({ index, score }) => ({ index, relevance_score: score }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(stand.isTei ? rows : { model: asked.model, results }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stand: RerankStandIn = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: [],
    headers: [],
    rate: () => 0.5,
    reply: null,
    isTei: false,
    end: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return stand;
}
