import type { AnswerSource } from 'api/contract/answers';

/** Where an answer came from: told by shape, and in words beside it. */
export function SourceMark({ source, label }: { source: AnswerSource; label: string }) {
  return (
    <span className="source">
      <svg className="mark-source" viewBox="0 0 14 14" aria-hidden="true">
        <use href={`#s-${source}`} />
      </svg>
      {label}
    </span>
  );
}
