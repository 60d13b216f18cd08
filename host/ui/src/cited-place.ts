import { nearestHeading } from './folded-rest.tsx';

/** The fields of a citation that are used here. */
interface CitedPlace {
  title: string;
  place?: string;
  at?: { page?: number; slide?: number; sheet?: string; row?: number };
}

type PlaceTranslate = (
  key: 'page' | 'slide' | 'sheet' | 'row',
  values: Record<string, string | number>,
) => string;

/** Where a quote is found in its document: `Large items · Row 14`; '' if unknown. */
export function citedPlace({ title, place, at = {} }: CitedPlace, t: PlaceTranslate): string {
  const section = nearestHeading(place);
  const { page, slide, sheet, row } = at;
  return [
    section === title ? '' : section,
    page === undefined ? '' : t('page', { n: page }),
    slide === undefined ? '' : t('slide', { n: slide }),
    sheet === undefined || sheet === section ? '' : t('sheet', { name: sheet }),
    row === undefined ? '' : t('row', { n: row }),
  ]
    .filter(Boolean)
    .join(' · ');
}
