import type { AnswerSource } from 'api/contract/answers';
import { useChat } from '../shared/chat-context.ts';

const TEXT_KEYS = {
  curated: 'sourceCurated',
  document: 'sourceDocument',
  model: 'sourceModel',
  none: 'sourceNone',
} as const;

/** The source of an answer, as an icon and a text. */
export function SourceMark({ source }: { source: AnswerSource }) {
  const { t } = useChat();
  return (
    <span className="source">
      <svg className="mark-source" viewBox="0 0 14 14" aria-hidden="true">
        <use href={`#s-${source}`} />
      </svg>
      {t(TEXT_KEYS[source])}
    </span>
  );
}
