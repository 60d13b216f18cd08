import type { AnswerSource } from 'api/contract';
import { useId } from 'react';
import styles from './report.module.css';
import type { ReportWords } from './report-words.ts';
import { SourceMark } from './source-mark.tsx';
import type { Tally } from './tally.ts';

const ORDER = ['document', 'curated', 'model', 'none'] as const satisfies AnswerSource[];
const WIDTH = 366;
const GAP = 4;
/** A share that is there is seen, however small. */
const LEAST = 8;

/** Where the answers came from: one bar whose parts are told by pattern, and the same in figures. */
export function SourceShare({ counts, t, numbers }: ReportWords & { counts: Tally }) {
  const id = useId();
  const parts = ORDER.filter((source) => counts.bySource[source] > 0);
  const sentence = parts
    .map((source) =>
      t('bySource.part', { source: t(`source.${source}`), count: numbers.format(counts.bySource[source]) }),
    )
    .join(t('source.none') === '未答' ? '，' : ', ');
  return (
    <section className="section" aria-labelledby={`${id}-title`}>
      <div className="section-head">
        <h2 id={`${id}-title`}>{t('bySource')}</h2>
      </div>
      <svg className={styles.stack} viewBox={`0 0 ${WIDTH} 24`} role="img" aria-label={sentence}>
        <defs>
          <pattern id={`${id}-rules`} width="6" height="6" patternUnits="userSpaceOnUse">
            <path className={styles.ruling} d="M0 3h6" />
          </pattern>
          <pattern id={`${id}-dots`} width="7" height="7" x="1" y="1.5" patternUnits="userSpaceOnUse">
            <rect className={styles.dot} x="2" y="2" width="3" height="3" rx="0.5" />
          </pattern>
        </defs>
        {placed(parts, counts).map(({ source, x, width }) => (
          <rect
            key={source}
            className={source === 'curated' ? styles.full : source === 'none' ? styles.open : undefined}
            x={x + 0.75}
            y="0.75"
            width={width - 1.5}
            height="22.5"
            rx="2"
            fill={
              source === 'document'
                ? `url(#${id}-rules)`
                : source === 'model'
                  ? `url(#${id}-dots)`
                  : undefined
            }
          />
        ))}
      </svg>
      <ul className={styles.legend}>
        {ORDER.map((source) => (
          <li key={source}>
            <SourceMark source={source} label={t(`source.${source}`)} />
            <span>{numbers.format(counts.bySource[source])}</span>
            <span className={styles.percent}>
              {counts.total ? Math.round((counts.bySource[source] / counts.total) * 100) : 0}%
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function placed(parts: AnswerSource[], { bySource, total }: Tally) {
  const room = WIDTH - GAP * (parts.length - 1) - LEAST * parts.length;
  let x = 0;
  return parts.map((source) => {
    const part = { source, x, width: LEAST + (room * bySource[source]) / total };
    x += part.width + GAP;
    return part;
  });
}
