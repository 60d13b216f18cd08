import { Button } from 'host/ui/button.tsx';
import { createLatePart, Late } from 'host/ui/late-part.tsx';
import { useChat } from '../state/chat-context.ts';
import { handoverTexts } from '../state/part-texts.ts';
import { useHandovers } from './use-handovers.ts';

export const handoverThreads = createLatePart(
  () => import(/* webpackChunkName: "handover" */ './handover-threads.tsx'),
  handoverTexts,
);

/** The threads with people at the end of the message list; nothing in a conversation without any. */
export function HandoverSlot() {
  const { t } = useChat();
  const { data, error, refetch } = useHandovers();
  const failed = (
    <p className="line wrap mt-s3 type-small ink-error" role="alert">
      {t('repliesFailed')}
      <Button look="small" label={t('tryAgain')} onClick={() => void refetch()} />
    </p>
  );
  // The screen itself reports that a conversation is missing.
  if (!data) return error && error.status !== 404 ? failed : null;
  if (data.length === 0) return null;
  return (
    <Late part={handoverThreads} failed={failed}>
      {({ HandoverThreads }) => <HandoverThreads handovers={data} />}
    </Late>
  );
}
