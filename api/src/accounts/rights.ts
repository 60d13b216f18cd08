import type { Config } from '../config/config.ts';
import { type GivenRole, Right, type Role } from '../contract/rights.ts';

/** The rights of each role. */
export const rightsOfRole: Record<Role, readonly Right[]> = {
  visitor: ['ask'],
  member: ['ask'],
  agent: ['ask', 'answer_people', 'see_all_reports'],
  editor: ['ask', 'edit_knowledge'],
  administrator: ['ask', 'answer_people', 'edit_knowledge', 'see_all_reports', 'administer'],
  operator: ['ask', 'operate'],
};

/** The part of an account that decides its rights. */
export interface Holder {
  /** null or missing: nobody has changed them. */
  roles?: readonly GivenRole[] | null;
  /** The roles of its groups, see `withGroupRoles`. */
  groupRoles?: readonly GivenRole[];
}

export type Rights = ReturnType<typeof createRights>;

/**
 * Decides who may do what. `*` in EDITORS makes every account an editor whose roles nobody has changed. It makes
 * nobody an agent: with open registration, that would be everyone.
 */
export function createRights({ editors }: Pick<Config, 'editors'>) {
  const given: readonly GivenRole[] = editors.includes('*') ? ['editor'] : [];
  const rolesOf = ({ roles }: Holder): readonly GivenRole[] => roles ?? given;
  const of = (holder: Holder | null): Right[] => {
    const ofAccount = (one: Holder): Role[] => ['member', ...rolesOf(one), ...(one.groupRoles ?? [])];
    const roles = holder ? ofAccount(holder) : (['visitor'] as const);
    return Right.options.filter((right) => roles.some((role) => rightsOfRole[role].includes(right)));
  };
  return {
    rolesOf,
    /** The rights of an account; null: of a guest. */
    of,
    has: (holder: Holder | null, right: Right): boolean => of(holder).includes(right),
  };
}
