import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { PointerInfo } from 'api/contract/compositions';
import { formatSize } from 'host/ui/format-size.ts';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useId, useState } from 'react';
import { shortId } from './change.ts';
import styles from './composition.module.css';
import { DiffParts, hasChanged } from './diff-parts.tsx';
import { PartProblem } from './problems.tsx';
import { useScreen } from './screen-context.ts';

/** Compares any two compositions: by default the live one with its canary, or with the previous one. */
export function DiffSection({ pointer }: { pointer: PointerInfo }) {
  const { t, formats, calls } = useScreen();
  const [chosen, setChosen] = useState<{ from?: string; to?: string }>({});
  const { composition, previous, canary } = pointer;
  const from = chosen.from ?? (canary ? composition.id : (previous ?? composition.id));
  const to = chosen.to ?? (canary ? canary.composition.id : composition.id);
  const list = useQuery({
    ...calls.compositions,
    queryKey: [...calls.compositions.queryKey, pointer.revision],
    placeholderData: keepPreviousData,
  });
  const diff = useQuery({ ...calls.diff(from, to), enabled: from !== to });
  const known = [composition, canary?.composition, ...(list.data?.compositions ?? [])];
  const ids = [
    ...new Set([...known.flatMap((one) => (one ? [one.id] : [])), ...(previous ? [previous] : [])]),
  ];
  const options = ids.map((id) => {
    const info = known.find((one) => one?.id === id);
    const role =
      (id === composition.id && t('diff.live')) ||
      (id === canary?.composition.id && t('diff.canary')) ||
      (id === previous && t('diff.previous'));
    const name = [shortId(id), role, info && formats.when(info.createdAt)].filter(Boolean).join(' · ');
    return { id, name };
  });
  const changed = diff.data?.parts.filter(hasChanged);

  return (
    <section className="section" aria-labelledby="composition-diff">
      <div className="section-head wrap">
        <h2 id="composition-diff">{t('diff')}</h2>
        {changed && diff.data && changed.length > 0 && (
          <span className="quiet">
            {t('diff.about', { count: changed.length, bytes: bytesText(diff.data.bytes) })}
          </span>
        )}
      </div>
      {ids.length < 2 ? (
        <p className="type-small quiet py-s2">{t('diff.one')}</p>
      ) : (
        <>
          <div className={styles.pair}>
            {(['from', 'to'] as const).map((end) => (
              <Choice
                key={end}
                label={t(`diff.${end}`)}
                value={{ from, to }[end]}
                options={options}
                onChange={(id) => setChosen({ ...chosen, [end]: id })}
              />
            ))}
          </div>
          <PartProblem title={t('diff.failed')} query={diff} />
          {diff.isFetching && (
            <Skeleton className={styles.waiting} label={t('loading')} lines={['full', 'most']} />
          )}
          {(from === to || changed?.length === 0) && (
            <p className="type-small quiet py-s2">{t('diff.same')}</p>
          )}
          {changed && diff.data && changed.length > 0 && <DiffParts parts={diff.data.parts} />}
        </>
      )}
    </section>
  );

  function bytesText(bytes: number): string {
    if (bytes === 0) return t('diff.even');
    return t(bytes > 0 ? 'diff.more' : 'diff.less', { size: formatSize(Math.abs(bytes)) });
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
    <span className={`line ${styles.choice}`}>
      <label className="type-small ink-2 nowrap" htmlFor={id}>
        {label}
      </label>
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
