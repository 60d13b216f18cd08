import type { CompositionDiff, CompositionInfo, PointerInfo } from 'api/contract/compositions';
import { useId, useState } from 'react';
import { shortId } from './change.ts';
import styles from './composition.module.css';
import { DiffParts, hasChanged } from './diff-parts.tsx';
import { Problem } from './problem.tsx';
import { useScreen } from './screen-context.ts';
import { useAnswer } from './use-answer.ts';

/** Any two compositions side by side: at first what is live with its canary, or with what was live before. */
export function DiffSection({ pointer }: { pointer: PointerInfo }) {
  const { say, formats, calls } = useScreen();
  const [chosen, setChosen] = useState<{ from?: string; to?: string }>({});
  const { composition, previous, canary } = pointer;
  const from = chosen.from ?? (canary ? composition.id : (previous ?? composition.id));
  const to = chosen.to ?? (canary ? canary.composition.id : composition.id);
  const list = useAnswer<CompositionInfo[]>(`${pointer.revision}`, calls.compositions);
  const diff = useAnswer<CompositionDiff>(from === to ? null : `${from} ${to}`, (signal) =>
    calls.diff(from, to, signal),
  );
  const known = [composition, canary?.composition, ...(list.data ?? [])];
  const ids = [
    ...new Set([...known.flatMap((one) => (one ? [one.id] : [])), ...(previous ? [previous] : [])]),
  ];
  const nameOf = (id: string) => {
    const info = known.find((one) => one?.id === id);
    const role =
      id === composition.id
        ? say('diff.live')
        : id === canary?.composition.id
          ? say('diff.canary')
          : id === previous
            ? say('diff.previous')
            : '';
    return [shortId(id), role, info && formats.when(info.createdAt)].filter(Boolean).join(' · ');
  };
  const options = ids.map((id) => ({ id, name: nameOf(id) }));
  const isShown = diff.data?.from === from && diff.data.to === to;
  const changed = isShown ? diff.data?.parts.filter(hasChanged) : undefined;

  return (
    <section className="section" aria-labelledby="composition-diff">
      <div className={`section-head ${styles.wrapping}`}>
        <h2 id="composition-diff">{say('diff')}</h2>
        {changed && diff.data && changed.length > 0 && (
          <span className="quiet">
            {say('diff.about', { count: changed.length, bytes: bytesText(diff.data.bytes) })}
          </span>
        )}
      </div>
      {ids.length < 2 ? (
        <p className={styles.note}>{say('diff.one')}</p>
      ) : (
        <>
          <div className={styles.pair}>
            <Choice
              label={say('diff.from')}
              value={from}
              options={options}
              onChange={(id) => setChosen({ ...chosen, from: id })}
            />
            <Choice
              label={say('diff.to')}
              value={to}
              options={options}
              onChange={(id) => setChosen({ ...chosen, to: id })}
            />
          </div>
          {diff.failure && from !== to && (
            <Problem title={say('diff.failed')} failure={diff.failure} retry={() => void diff.ask()} />
          )}
          {from !== to && !diff.failure && !isShown && (
            <div className={styles.waiting} role="status" aria-label={say('loading')}>
              <span className="bone full" />
              <span className="bone most" />
            </div>
          )}
          {(from === to || changed?.length === 0) && <p className={styles.note}>{say('diff.same')}</p>}
          {from !== to && changed && changed.length > 0 && diff.data && <DiffParts parts={diff.data.parts} />}
        </>
      )}
    </section>
  );

  function bytesText(bytes: number): string {
    if (bytes === 0) return say('diff.even');
    return say(bytes > 0 ? 'diff.more' : 'diff.less', { size: formats.bytes(Math.abs(bytes)) });
  }
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly { id: string; name: string }[];
  onChange(id: string): void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <span className={styles.choice}>
      <label htmlFor={id}>{label}</label>
      <select className="input" id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.name}
          </option>
        ))}
      </select>
    </span>
  );
}
