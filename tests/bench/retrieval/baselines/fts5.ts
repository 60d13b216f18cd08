import { DatabaseSync } from 'node:sqlite';
import { bigramsOf } from './bigrams.ts';
import { type Engine, maxFound, type SearchedPassage } from './engine.ts';

interface Way {
  name: string;
  tokenize: string;
  write(text: string): string;
  /** What any of is searched for. */
  termsOf(question: string): string[];
}

const WAYS: Record<'trigram' | 'bigrams', Way> = {
  trigram: { name: 'SQLite FTS5, trigram', tokenize: 'trigram', write: (text) => text, termsOf: trigramsOf },
  bigrams: {
    name: 'SQLite FTS5, bigrams and Porter stems',
    tokenize: 'porter unicode61',
    write: (text) => bigramsOf(text).join(' '),
    termsOf: bigramsOf,
  },
};

/** SQLite's full text search by BM25: its own trigrams, or words and pairs of Chinese. */
export function createFts5(passages: readonly SearchedPassage[], kind: keyof typeof WAYS): Engine {
  const way = WAYS[kind];
  const database = new DatabaseSync(':memory:');
  database.exec(
    `create virtual table passages using fts5(id unindexed, language unindexed, heading, text, tokenize='${way.tokenize}')`,
  );
  const insert = database.prepare('insert into passages values (?, ?, ?, ?)');
  for (const { id, language, heading, text } of passages)
    insert.run(id, language, way.write(heading), way.write(text));
  const select = database.prepare(
    'select id, -bm25(passages) as score from passages where passages match ?1 and (?2 is null or language = ?2) order by bm25(passages) limit ?3',
  );
  return {
    name: way.name,
    search(question, language) {
      const terms = [...new Set(way.termsOf(question))].map((term) => `"${term.replaceAll('"', '""')}"`);
      if (terms.length === 0) return [];
      return select.all(terms.join(' OR '), language, maxFound) as { id: string; score: number }[];
    },
    close: () => database.close(),
  };
}

function trigramsOf(question: string): string[] {
  return question.split(/[^\p{L}\p{N}]+/u).flatMap((run) => {
    const characters = [...run];
    return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''));
  });
}
