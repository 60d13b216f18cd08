import { Icon } from 'host/ui/icon.tsx';
import styles from './account.module.css';

/** Always rendered: screen readers may miss an alert that is inserted together with its text. */
export function FormError({ text }: { text: string }) {
  return (
    <p className={`field-note error ${styles.error}`} role="alert">
      {text && (
        <>
          <Icon name="alert" />
          {text}
        </>
      )}
    </p>
  );
}
