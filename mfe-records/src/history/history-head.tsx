import type { Translate } from 'host/contract';
import { Icon } from 'host/ui/icon.tsx';
import { MenuButton, type MenuItem } from 'host/ui/menu.tsx';
import { useMedia } from 'host/ui/use-media.ts';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { addressWith, useAddressParams } from '../lib/address-params.ts';
import type { HistoryTexts } from './history-texts.ts';
import type { FoundRecords } from './use-found-records.ts';

interface HistoryHeadProps {
  found: FoundRecords;
  locale: string;
  t: Translate<HistoryTexts>;
  menu: MenuItem[];
  controls: ReactNode;
}

/** Header with title, number of records, bin and menu. */
export function HistoryHead({ found, locale, t, menu, controls }: HistoryHeadProps) {
  const [params] = useAddressParams();
  // Beside the title there is only room for the number.
  const isNarrow = useMedia('(max-width: 640px)');
  const toBin = new URLSearchParams(params);
  toBin.set('bin', '1');
  return (
    <header className="head">
      <h1>{t('history.title')}</h1>
      <span className="count always num" role="status">
        {found.hasBegun && countOf(found, locale, isNarrow, t)}
      </span>
      <span className="space" />
      <Link className="button small bare" to={addressWith(toBin)} aria-label={t('bin')}>
        <Icon name="trash" className="icon-s" />
        <span className="label">{t('bin')}</span>
      </Link>
      <MenuButton className="icon-button" label={t('more')} items={menu}>
        <Icon name="more" />
      </MenuButton>
      <div className="cluster">{controls}</div>
    </header>
  );
}

function countOf(
  { total, totalIsMore }: FoundRecords,
  locale: string,
  isNarrow: boolean,
  t: Translate<HistoryTexts>,
): string {
  const count = new Intl.NumberFormat(locale).format(total);
  if (isNarrow) return t('history.short', { count: totalIsMore ? `${count}+` : count });
  return totalIsMore ? t('history.many', { count }) : t('history.all', { count });
}
