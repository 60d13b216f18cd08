import type { HostServices } from 'host/contract';
import type { Source } from 'host/ui/source-viewer/source-reader.ts';
import { SOURCE_TEXTS } from 'host/ui/source-viewer/source-texts.ts';
import { SourceViewer } from 'host/ui/source-viewer/source-viewer.tsx';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useMemo } from 'react';
import { createSourceReader } from './source-reader.ts';

interface SourceDialogProps {
  source: Source;
  /** Position among the citations of the answer. */
  steps?: { n: number; count: number; onStep(n: number): void };
  services: Pick<HostServices, 'http' | 'i18n' | 'toasts'>;
  onClose(): void;
}

/** A document, at what an answer quotes of it. */
export function SourceDialog({ source, steps, services, onClose }: SourceDialogProps) {
  const { http, i18n, toasts } = services;
  const t = useTranslate(i18n, SOURCE_TEXTS);
  const reader = useMemo(() => createSourceReader(http), [http]);
  return (
    <SourceViewer
      source={source}
      reader={reader}
      t={t}
      steps={steps}
      variant="dialog"
      onProblem={(text) => void toasts.show({ kind: 'error', text })}
      onClose={onClose}
    />
  );
}
