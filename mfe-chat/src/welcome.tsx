import { useFrame } from './frame-context.ts';
import { Icon } from './icon.tsx';
import styles from './welcome.module.css';

const STARTERS = ['starter1', 'starter2', 'starter3'] as const;

/** The empty page: the hint in the product's ornament, and questions that the handbook answers. */
export function Welcome() {
  const { t, ask } = useFrame();
  return (
    <div className={styles.welcome}>
      <div className={`quoted ${styles.hint}`}>
        <p>{t('hint')}</p>
        <p>{t('hintMore')}</p>
      </div>
      <section className={styles.suggestions} aria-labelledby="starters">
        <h2 id="starters">{t('suggestions')}</h2>
        <ul>
          {STARTERS.map((key) => (
            <li key={key}>
              <button type="button" onClick={() => ask(t(key))}>
                {t(key)}
                <Icon name="arrow" />
              </button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
