import { z } from 'zod';

/** Everything that may be allowed or not. */
export const Right = z.enum([
  /** Ask, and read and change what belongs to oneself. */
  'ask',
  /** Read and answer requests for a person. */
  'answer_people',
  /** Change the knowledge base. */
  'edit_knowledge',
  /** See figures about the requests of all visitors. */
  'see_all_reports',
  /** Change the settings of the desk, and the roles of accounts. */
  'administer',
  /** Change which releases are live. */
  'operate',
]);
export type Right = z.infer<typeof Right>;

/** Named sets of rights. Visitors are not signed in; every account is a member; the others are given to accounts. */
export const Role = z.enum(['visitor', 'member', 'agent', 'editor', 'administrator', 'operator']);
export type Role = z.infer<typeof Role>;

/** The roles that are given to accounts. */
export const GivenRole = Role.exclude(['visitor', 'member']);
export type GivenRole = z.infer<typeof GivenRole>;
