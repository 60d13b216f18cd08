import type { AnswerSource } from 'api/contract/answers';

/** Icon for the source of an answer, with a text label for accessibility. */
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
