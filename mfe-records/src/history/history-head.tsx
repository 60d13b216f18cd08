import type { Translate } from 'host/contract';
import { Icon } from 'host/ui/icon.tsx';
import { MenuButton, type MenuItem } from 'host/ui/menu.tsx';
import { ScreenHead, useFormats, useTexts } from 'host/ui/screen.tsx';
import { useMedia } from 'host/ui/use-media.ts';
import { Link } from 'react-router-dom';
import { addressWith, useAddressParams, withParams } from '../lib/address-params.ts';
import { type HistoryTexts, historyTexts } from '../lib/texts.ts';
import type { FoundRecords } from './use-found-records.ts';

/** Header with title, number of records, bin and menu. */
export function HistoryHead({ found, menu }: { found: FoundRecords; menu: MenuItem[] }) {
  const t = useTexts(historyTexts);
  const { numbers } = useFormats();
  const [params] = useAddressParams();
  // On narrow screens there is only room for the number beside the title.
  const isNarrow = useMedia('(max-width: 640px)');
  return (
    <ScreenHead
      title={t('history.title')}
      aside={
        <span className="count always num" role="status">
          {found.hasBegun && countOf(found, numbers, isNarrow, t)}
        </span>
      }
    >
      <Link
        className="button small bare"
        to={addressWith(withParams(params, { bin: '1' }))}
        aria-label={t('bin')}
      >
        <Icon name="trash" className="icon-s" />
        <span className="label">{t('bin')}</span>
      </Link>
      <MenuButton className="icon-button" label={t('more')} items={menu}>
        <Icon name="more" />
      </MenuButton>
    </ScreenHead>
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
