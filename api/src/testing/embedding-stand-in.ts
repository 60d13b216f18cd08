import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';

export interface EmbeddingStandIn {
  /** The value for EMBEDDINGS_BASE_URL. */
  baseUrl: string;
  /** The texts of each request. */
  requests: string[][];
  /** null: responds normally; a status: refuses with it; 'hang': never responds. */
  fails: number | 'hang' | null;
  dimensions: number;
  /** A request with a longer text is refused with 413. */
  maxLength: number;
  end(): Promise<void>;
}

/**
 * A local server with the `/v1/embeddings` API. A text's vector counts its letters, so that texts with the
 * same letters are similar.
 */
export async function startEmbeddingStandIn(): Promise<EmbeddingStandIn> {
  const server = createServer(async (request, response) => {
    const { input } = JSON.parse(await readText(request)) as { input: string[] };
    stand.requests.push(input);
    if (stand.fails === 'hang') return;
    if (stand.fails !== null) {
      response.writeHead(stand.fails).end();
      return;
    }
    if (input.some((text) => text.length > stand.maxLength)) {
      response.writeHead(413).end();
      return;
    }
    response.setHeader('content-type', 'application/json');
    const data = input.map((text, index) => ({ index, embedding: lettersOf(text, stand.dimensions) }));
    response.end(JSON.stringify({ data: data.toReversed() }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stand: EmbeddingStandIn = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: [],
    fails: null,
    dimensions: 32,
    maxLength: Number.POSITIVE_INFINITY,
    end: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return stand;
}

function lettersOf(text: string, dimensions: number): number[] {
  const counts = Array.from({ length: dimensions }, () => 0.01);
  for (const letter of text.toLowerCase()) counts[letter.codePointAt(0)! % dimensions]! += 1;
  return counts;
}
