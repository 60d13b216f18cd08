import type { PartDiff } from 'api/contract/compositions';
import { formatSize } from 'host/ui/format-size.ts';
import { type ReactNode, useState } from 'react';
import styles from './composition.module.css';
import type { CompositionTranslate } from './composition-texts.ts';
import { useScreen } from './screen-context.ts';

/** Number of files of a part shown at first. */
const MAX_FILES = 6;
const SIGNS = { same: '=', removed: '−', added: '+', changed: '~' } as const;

/** Removed, added and changed remotes, one after the other. */
export function DiffParts({ parts }: { parts: readonly PartDiff[] }) {
  const { t } = useScreen();
  const same = parts.filter((part) => !hasChanged(part));
  const changed = parts.filter(hasChanged);
  return (
    <ul className={styles.diff}>
      {same.length > 0 && (
        <Line kind="same" sign={SIGNS.same}>
          {t('diff.equal', { names: same.map(({ name, to }) => `${name}@${to}`).join(t('joint')) })}
        </Line>
      )}
      {changed.map((part) => (
        <Part key={part.name} part={part} />
      ))}
    </ul>
  );
}

export function hasChanged({ from, to, added, removed }: PartDiff): boolean {
  return from !== to || added.length + removed.length > 0;
}

function Part({ part }: { part: PartDiff }) {
  const { t } = useScreen();
  const [isWhole, setWhole] = useState(false);
  const files = [
    ...part.removed.map((file) => ({ ...file, kind: 'removed' as const, version: part.from })),
    ...part.added.map((file) => ({ ...file, kind: 'added' as const, version: part.to })),
  ].sort((one, other) => other.size - one.size);
  // Selects the largest files, and shows removed ones before added ones.
  const shown = (isWhole ? files : files.slice(0, MAX_FILES)).sort(
    (one, other) => Number(one.kind === 'added') - Number(other.kind === 'added'),
  );
  const hidden = files.length - MAX_FILES;
  return (
    <>
      {shown.map(({ kind, path, size, version }) => (
        <Line
          key={`${kind} ${path}`}
          kind={kind}
          sign={SIGNS[kind]}
          signLabel={t(`diff.${kind}`)}
          figure={formatSize(size)}
        >
          {`${part.name}@${version} ${path}`}
        </Line>
      ))}
      {hidden > 0 && (
        <Line kind="same" sign="">
          <button className="link type-small nowrap" type="button" onClick={() => setWhole(!isWhole)}>
            {isWhole ? t('diff.fewer') : `${part.name}：${t('diff.files', { count: hidden })}`}
          </button>
        </Line>
      )}
      {part.kept > 0 && (
        <Line kind="same" sign={SIGNS.same}>
          {`${part.name} ${t('diff.kept', { count: part.kept })}`}
        </Line>
      )}
      {termsOf(part, t).map((term) => (
        <Line key={term} kind="changed" sign={SIGNS.changed} signLabel={t('diff.changed')}>
          {`${part.name} ${term}`}
        </Line>
      ))}
    </>
  );
}

/** Differences in exposed modules, shared libraries and contract. */
function termsOf(
  { exposesAdded, exposesRemoved, shared, contract, from }: PartDiff,
  t: CompositionTranslate,
): string[] {
  const none = t('none');
  return [
    ...exposesAdded.map((name) => t('diff.exposesAdded', { name })),
    ...exposesRemoved.map((name) => t('diff.exposesRemoved', { name })),
    // Everything is new in a remote that did not exist before.
    ...(from === null ? [] : shared).map((range) =>
      t('diff.shared', { library: range.library, from: range.from ?? none, to: range.to ?? none }),
    ),
    ...(contract.from !== contract.to && contract.from !== null && contract.to !== null
      ? [t('diff.contract', { from: contract.from, to: contract.to })]
      : []),
  ];
}

interface LineProps {
  kind: keyof typeof SIGNS;
  sign: string;
  /** The sign as text for screen readers. */
  signLabel?: string;
  figure?: string;
  children: ReactNode;
}

function Line({ kind, sign, signLabel, figure, children }: LineProps) {
  return (
    <li data-kind={kind}>
      <span aria-hidden="true">{sign}</span>
      <span>
        {signLabel && <span className="sr">{signLabel} </span>}
        {children}
      </span>
      <span className="num nowrap">{figure}</span>
    </li>
  );
}
