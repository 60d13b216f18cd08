import type { Handover } from 'api/contract/handover';
import styles from './handover-thread.module.css';
import { HandoverThread } from './handover-thread.tsx';

/** All threads of the shown conversation, oldest first. */
export function HandoverThreads({ handovers }: { handovers: readonly Handover[] }) {
  return (
    // The unlabelled section is no landmark.
    <section className={styles.threads}>
      {handovers.map((handover, index) => (
        <HandoverThread key={handover.id} handover={handover} isLatest={index === handovers.length - 1} />
      ))}
    </section>
  );
}
