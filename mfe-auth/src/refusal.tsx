import { Icon } from 'host/ui/icon.tsx';
import styles from './account.module.css';

/** Why the server refused a form. It stands there from the start: an alert that comes with its words may not be read aloud. */
export function Refusal({ text }: { text: string }) {
  return (
    <p className={`field-note error ${styles.refusal}`} role="alert">
      {text && (
        <>
          <Icon name="alert" />
          {text}
        </>
      )}
    </p>
  );
}
