import { deskAddress } from 'host/ui/desk-address.ts';
import { BASE } from '../routes.ts';
import type { FrameTranslate } from './frame-texts.ts';

/** Replaces the whole frame after it has thrown. Uses no services except its texts, because they may be the cause. */
export function FrameFailed({ t }: { t: FrameTranslate }) {
  return (
    <main id="main" tabIndex={-1}>
      <div className="failed" role="alert">
        <h1>{t('failed.title')}</h1>
        <p>{t('failed.about')}</p>
        <div className="row">
          <button className="button primary" type="button" onClick={() => location.reload()}>
            {t('failed.reload')}
          </button>
          <a className="button" href={deskAddress(`${BASE}/`)}>
            {t('failed.home')}
          </a>
        </div>
      </div>
    </main>
  );
}
