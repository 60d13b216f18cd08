import MiniSearch from 'minisearch';
import { bigramsOf } from './bigrams.ts';
import { type Engine, maxFound, type SearchedPassage } from './engine.ts';

/** MiniSearch as it comes, or with Chinese cut into pairs, which it does not do by itself. */
export function createMiniSearch(
  passages: readonly SearchedPassage[],
  tokens: 'as it comes' | 'bigrams',
): Engine {
  const index = new MiniSearch<SearchedPassage>({
    fields: ['heading', 'text'],
    storeFields: ['language'],
    ...(tokens === 'bigrams' ? { tokenize: bigramsOf } : {}),
  });
  index.addAll(passages);
  return {
    name: `MiniSearch, ${tokens}`,
    search: (question, language) =>
      index
        .search(question, { filter: (found) => language === null || found.language === language })
        .slice(0, maxFound)
        .map(({ id, score }) => ({ id, score })),
    close: () => index.removeAll(),
  };
}
