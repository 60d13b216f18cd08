import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { PointerInfo } from 'api/contract/compositions';
import { useId, useState } from 'react';
import { shortId } from './change.ts';
import styles from './composition.module.css';
import { DiffParts, hasChanged } from './diff-parts.tsx';
import { Problem } from './problem.tsx';
import { useScreen } from './screen-context.ts';

/** Compares any two compositions: by default the live one with its canary, or with the previous one. */
export function DiffSection({ pointer }: { pointer: PointerInfo }) {
  const { say, formats, calls } = useScreen();
  const [chosen, setChosen] = useState<{ from?: string; to?: string }>({});
  const { composition, previous, canary } = pointer;
  const from = chosen.from ?? (canary ? composition.id : (previous ?? composition.id));
  const to = chosen.to ?? (canary ? canary.composition.id : composition.id);
  const list = useQuery({
    queryKey: ['compositions', pointer.revision],
    queryFn: ({ signal }) => calls.compositions(signal),
    placeholderData: keepPreviousData,
  });
  const diff = useQuery({
    queryKey: ['diff', from, to],
    queryFn: ({ signal }) => calls.diff(from, to, signal),
    enabled: from !== to,
  });
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
  const changed = diff.data?.parts.filter(hasChanged);

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
          {diff.error && (
            <Problem title={say('diff.failed')} failure={diff.error} retry={() => void diff.refetch()} />
          )}
          {diff.isFetching && (
            <div className={styles.waiting} role="status" aria-label={say('loading')}>
              <span className="bone full" />
              <span className="bone most" />
            </div>
          )}
          {(from === to || changed?.length === 0) && <p className={styles.note}>{say('diff.same')}</p>}
          {changed && diff.data && changed.length > 0 && <DiffParts parts={diff.data.parts} />}
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
