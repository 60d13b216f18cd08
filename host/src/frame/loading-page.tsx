import { type ReactNode, useEffect, useState } from 'react';
import { HostPage } from './host-page.tsx';
import { useFrameTranslate } from './use-frame-translate.ts';

/** Delay before the skeleton is shown, in ms, so that it does not flash on fast loads. */
const SKELETON_AFTER_MS = 300;

export function LoadingPage({ controls }: { controls: ReactNode }) {
  const t = useFrameTranslate();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) return <main id="main" tabIndex={-1} aria-busy="true" />;
  return (
    <HostPage controls={controls}>
      <div className="skeleton" aria-busy="true" role="status" aria-label={t('loading')}>
        <SkeletonBlock />
        <SkeletonBlock />
      </div>
    </HostPage>
  );
}

function SkeletonBlock() {
  return (
    <div>
      <span className="skeleton-line" />
      <span className="skeleton-line third" />
      <span className="skeleton-line full" />
      <span className="skeleton-line most" />
    </div>
  );
}
