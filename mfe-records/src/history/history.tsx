import type { ExportRequest } from 'api/contract/archives';
import type { RecordFilter } from 'api/contract/search';
import type { HttpFailure, Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { MenuButton, type MenuItem } from 'host/ui/menu.tsx';
import { EmptyState } from 'host/ui/problem.tsx';
import { ScreenHead, useFormats, useTexts } from 'host/ui/screen.tsx';
import { useHold } from 'host/ui/use-hold.ts';
import { useMedia } from 'host/ui/use-media.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { addressWith, useAddressParams, withParams } from '../lib/address-params.ts';
import { lateDialog } from '../lib/late-dialog.tsx';
import listStyles from '../lib/list.module.css';
import { LoadProblem } from '../lib/load-problem.tsx';
import { NoRecords } from '../lib/no-records.tsx';
import { useRowFocus } from '../lib/open-item.tsx';
import { screenOf } from '../lib/screen-root.tsx';
import { useDesk } from '../lib/services.ts';
import { filterTexts, type HistoryTexts, historyTexts } from '../lib/texts.ts';
import { type Transfer, TransferStrip, useTransfer } from '../lib/transfer.tsx';
import { MAX_IDS, targetsOf } from './erase-scope.ts';
import { spacedId } from './filters/contact-label.ts';
import { addressOf, EVERYTHING, inTimeZone, toRecordFilter, useFilter } from './filters/filter.ts';
import { FilterBar } from './filters/filter-bar.tsx';
import styles from './history.module.css';
import { DetailPane } from './record-detail.tsx';
import { RecordList } from './record-list.tsx';
import { ALL, countTicked, NOTHING, type Selection, tickedText } from './selection.ts';
import { useErasing } from './use-erasing.ts';
import { type FoundRecords, useChosenRecord, useFoundRecords } from './use-found-records.ts';

export const texts = [historyTexts, filterTexts];

const EraseDialog = lateDialog(async () => (await import('./erase-dialog.tsx')).EraseDialog);
const BinDialog = lateDialog(async () => (await import('./bin-dialog.tsx')).BinDialog);
const ImportRecords = lateDialog(async () => (await import('./import-records.tsx')).ImportRecords);

/**
 * /history: all records, newest first and grouped by day, filtered by text, contact, dates, source and rating, with the record of the
 * address (`?r=`) beside the list. Records can be selected, exported, printed, deleted, and restored from the bin (`?bin=1`).
 */
export default screenOf(History, listStyles.page);

function History() {
  const { t, http, updates } = useDesk(historyTexts);
  const { numbers } = useFormats();
  // On narrow screens there is only room for the number beside the title.
  const isNarrow = useMedia('(max-width: 640px)');
  const [params, setParams] = useAddressParams();
  const navigate = useNavigate();
  const { filter, setFilter, isEmpty } = useFilter();
  const recordFilter = useMemo(() => toRecordFilter(filter), [filter]);
  const found = useFoundRecords(http, recordFilter);
  const { records, total, hasBegun, failure, isBehind, more } = found;
  const [selection, setSelection] = useState<Selection>(NOTHING);
  const [isImporting, setIsImporting] = useState(false);
  const transfer = useTransfer();
  const list = useRef<HTMLDivElement>(null);

  // The id in `?r=`; null without it.
  const named = params.get('r') || null;
  /** A record deleted here, hidden even while the address still contains its id. */
  const [erasedId, setErasedId] = useState<string | null>(null);
  const chosenId = named === erasedId ? null : named;
  const { chosen, change } = useChosenRecord(chosenId, found);
  const shown =
    chosen.status === 'none' && records[0] ? ({ status: 'ready', record: records[0] } as const) : chosen;
  const withoutChosen = withParams(params, { r: null });
  const binAddress = addressWith(withParams(params, { bin: '1' }));
  const count = countTicked(selection, total);
  const exports = useExports(transfer, recordFilter);

  const shownFilter = JSON.stringify(found.filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a selection belongs to one filter
  useEffect(() => setSelection(NOTHING), [shownFilter]);

  const focusList = useCallback(() => {
    const row = list.current?.querySelector<HTMLElement>('[data-record][tabindex="0"]');
    (row ?? document.getElementById('main'))?.focus({ preventScroll: true });
  }, []);
  const erasing = useErasing({
    found,
    selection,
    onErased: (isGone) => {
      setSelection(NOTHING);
      if (chosen.status === 'ready' && isGone(chosen.record)) {
        setErasedId(chosen.record.id);
        setParams(withoutChosen, { replace: true });
      }
      requestAnimationFrame(focusList);
    },
  });
  useHold(updates, erasing.request !== null || isImporting || transfer.running !== null);
  useEffect(() => {
    if (named === null) setErasedId(null);
  }, [named]);
  useRowFocus(list, 'data-record', chosenId);

  const hasList = records.length > 0 || (!hasBegun && !failure);
  const isBare = hasBegun && !isBehind && total === 0 && isEmpty && records.length === 0;

  return (
    <>
      <ScreenHead
        title={t('history.title')}
        aside={
          <span className="count always num" role="status">
            {hasBegun && countOf(found, numbers, isNarrow, t)}
          </span>
        }
      >
        <Link className="button small bare" to={binAddress} aria-label={t('bin')}>
          <Icon name="trash" className="icon-s" />
          <span className="label">{t('bin')}</span>
        </Link>
        <MenuButton
          label={t('more')}
          items={[
            ...(total > 0
              ? [
                  { label: t('stats'), icon: 'chart', action: { to: addressOf('/report', filter) } },
                  { label: t('export.pdf'), icon: 'file', action: () => exports.print(ALL) },
                  ...exports.items(ALL),
                ]
              : []),
            { label: t('import'), icon: 'open', action: () => setIsImporting(true) },
            {
              label: t('erase.byContact'),
              icon: 'trash',
              isDanger: true,
              action: () => erasing.open('contact'),
            },
            { label: t('erase.byDate'), icon: 'trash', isDanger: true, action: () => erasing.open('date') },
          ]}
        />
      </ScreenHead>
      <div className={`column ${styles.records}`}>
        {!isBare && <FilterBar filter={filter} onChange={setFilter} />}
        {isBare && chosen.status === 'none' && (
          <NoRecords title={t('history.empty')} about={t('history.empty.about')} />
        )}
        {records.length === 0 && failure && (
          <SearchProblem
            failure={failure}
            onRetry={more}
            onContact={(contact) => setFilter({ ...filter, contact })}
          />
        )}
        {(!isBare || chosen.status !== 'none') && !(records.length === 0 && failure) && (
          <div className={styles.split} data-chosen={chosenId !== null || undefined}>
            <div className={`${listStyles.ledger} ${styles.ledger}`}>
              {hasList ? (
                <>
                  <SelectAll
                    count={count}
                    total={total}
                    isHidden={records.length === 0}
                    onChange={(isOn) => setSelection(isOn ? ALL : NOTHING)}
                  />
                  <RecordList
                    listRef={list}
                    found={found}
                    current={shown.status === 'ready' ? shown.record.id : ''}
                    isChosen={chosenId !== null}
                    chosen={
                      chosen.status === 'loading'
                        ? undefined
                        : chosen.status === 'ready'
                          ? chosen.record
                          : null
                    }
                    selection={selection}
                    onSelect={setSelection}
                    onErase={() => count > 0 && erasing.open('selection')}
                  />
                </>
              ) : (
                <EmptyState className="grow" title={t('history.nothing')} about={t('history.nothing.about')}>
                  <Button label={t('clear')} onClick={() => setFilter(EVERYTHING)} />
                  <Button look="bare" label={t('bin.open')} onClick={() => navigate(binAddress)} />
                </EmptyState>
              )}
              <TransferStrip transfer={transfer} />
              {count > 0 && (
                <SelectionBar
                  count={tickedText(selection, found)}
                  exports={exports.items(selection)}
                  onClear={() => {
                    setSelection(NOTHING);
                    focusList();
                  }}
                  onPrint={() => exports.print(selection)}
                  onErase={() => erasing.open('selection')}
                />
              )}
            </div>
            <DetailPane
              shown={shown}
              isChosen={chosenId !== null}
              backAddress={addressWith(withoutChosen)}
              transfer={transfer}
              onChange={change}
              onErase={erasing.openFor}
            />
          </div>
        )}
      </div>
      {erasing.request && (
        <EraseDialog
          {...erasing.request}
          contact={filter.contact ?? ''}
          from={filter.from}
          to={filter.to}
          onClose={erasing.close}
          onErased={erasing.settle}
        />
      )}
      {params.get('bin') === '1' && (
        <BinDialog
          onClose={() => setParams(withParams(params, { bin: null }), { replace: true })}
          onChanged={() => found.refresh(true)}
        />
      )}
      {isImporting && (
        <ImportRecords onClose={() => setIsImporting(false)} onImported={() => found.refresh(true)} />
      )}
    </>
  );
}

interface SearchProblemProps {
  failure: HttpFailure;
  onRetry(): void;
  onContact(id: string): void;
}

/** Shown after a failed search: retry, or choose the contact that a name means. */
function SearchProblem({ failure, onRetry, onContact }: SearchProblemProps) {
  const t = useTexts(historyTexts);
  if (!failure.choices)
    return <LoadProblem failure={failure} title={t('history.failed')} onRetry={onRetry} />;
  return (
    <EmptyState role="alert" title={t('erase.choices')}>
      {failure.choices.map(({ id, name }) => (
        <button key={id} className="chip" type="button" onClick={() => onContact(id)}>
          {name} <span className="num">{spacedId(id)}</span>
        </button>
      ))}
    </EmptyState>
  );
}

interface SelectAllProps {
  count: number;
  total: number;
  /** Invisible, but keeps its space so that the list does not move. */
  isHidden: boolean;
  onChange(isOn: boolean): void;
}

/** Selects all matching records, loaded or not; indeterminate if some are selected. */
function SelectAll({ count, total, isHidden, onChange }: SelectAllProps) {
  const t = useTexts(historyTexts);
  return (
    <label className={`no-print ${styles.all}`} inert={isHidden}>
      <input
        className="check"
        type="checkbox"
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && count < total;
        }}
        aria-label={t('pickAll.label')}
        checked={count > 0 && count >= total}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span aria-hidden="true">{t('pickAll')}</span>
    </label>
  );
}

function countOf(
  { total, totalIsMore }: FoundRecords,
  numbers: Intl.NumberFormat,
  isNarrow: boolean,
  t: Translate<HistoryTexts>,
): string {
  const count = numbers.format(total);
  if (isNarrow) return t('history.short', { count: totalIsMore ? `${count}+` : count });
  return totalIsMore ? t('history.many', { count }) : t('history.all', { count });
}

interface SelectionBarProps {
  /** '12', '10000+' */
  count: string;
  exports: MenuItem[];
  onClear(): void;
  onPrint(): void;
  onErase(): void;
}

/** Actions for the selected records. */
function SelectionBar({ count, exports, onClear, onPrint, onErase }: SelectionBarProps) {
  const t = useTexts(historyTexts);
  const [before = '', after = ''] = t('selected', { count: '\n' }).split('\n');
  return (
    <div className={`no-print ${styles.selection}`} role="toolbar" aria-label={t('selected.bar')}>
      <p aria-live="polite">
        {before}
        <b className="num">{count}</b>
        {after}
      </p>
      <Button look="small bare push" label={t('cancel')} onClick={onClear} />
      <button className="button small" type="button" onClick={onPrint}>
        <Icon name="chart" className="icon-s" />
        <span className={styles.wide}>{t('toPdf')}</span>
        <span className={styles.narrow}>PDF</span>
      </button>
      <MenuButton className="button small" label={t('export')} items={exports} placement="top-end">
        <Icon name="download" className="icon-s" />
        {t('export')}
      </MenuButton>
      <Button look="small danger-quiet" icon="trash" label={t('erase')} onClick={onErase} />
    </div>
  );
}

/** Exports the selection, or all records that match the filter, as PDF, JSON and CSV. */
function useExports(transfer: Transfer, filter: RecordFilter) {
  const { t, http } = useDesk(historyTexts);
  const save = (selection: Selection, format: 'pdf' | ExportRequest['format']) =>
    transfer.saveAfter(t(`transfer.${format}`), async (signal) => {
      const tooMany = t('selected.tooMany', { count: MAX_IDS });
      const targets = await targetsOf(selection, filter, { http, signal, tooMany });
      const name = `${t('file.records')}.${format}`;
      if (format !== 'pdf')
        return { name, url: '/api/export', body: { ...targets, format } satisfies ExportRequest };
      return {
        name,
        url: '/api/generate_pdf',
        body: 'ids' in targets ? { ...targets, ...inTimeZone() } : targets,
      };
    });
  return {
    print: (selection: Selection) => save(selection, 'pdf'),
    items: (selection: Selection): MenuItem[] =>
      (['json', 'csv'] as const).map((format) => ({
        label: t(`export.${format}`),
        icon: 'download',
        action: () => save(selection, format),
      })),
  };
}
