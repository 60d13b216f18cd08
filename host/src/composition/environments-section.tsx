import type { EnvironmentInfo, PointerInfo } from 'api/contract/compositions';
import { Button } from 'host/ui/button.tsx';
import { Section } from 'host/ui/section.tsx';
import { changesBetween, promotionOf, shortId } from './change.ts';
import { ChangeList } from './change-list.tsx';
import styles from './composition.module.css';
import { useScreen } from './screen-context.ts';

interface EnvironmentsSectionProps {
  pointer: PointerInfo;
  environments: readonly EnvironmentInfo[];
}

/** The name of an environment; production has another colour than the others. */
export function EnvironmentTag({ name }: { name: string }) {
  return <span className={name === 'production' ? 'tag accent' : 'tag warning'}>{name}</span>;
}

/** What is live in the other environments of the database, with a button to promote it to this one. */
export function EnvironmentsSection({ pointer, environments }: EnvironmentsSectionProps) {
  const { t, formats, change } = useScreen();
  const others = environments.filter(({ isOwn }) => !isOwn);
  if (others.length === 0) return null;
  return (
    <Section title={t('environments')}>
      <ul className={`stack gap-s4 ${styles.environments}`}>
        {others.map((other) => {
          const { name, composition, movedAt } = other;
          const promotion = promotionOf(other, pointer.composition);
          return (
            <li key={name}>
              <p className="line wrap">
                <EnvironmentTag name={name} />
                {composition && <code title={composition.id}>{shortId(composition.id)}</code>}
                {movedAt && <small>{t('environments.since', { time: formats.when(movedAt) })}</small>}
              </p>
              {composition && promotion && (
                <ChangeList changes={changesBetween(pointer.composition, composition)} />
              )}
              {!promotion && <p className="quiet">{t('environments.same')}</p>}
              {promotion && (
                <Button
                  look="small"
                  label={t('environments.promote', { name: pointer.environment })}
                  onClick={() => change(promotion)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
