/**
 * Charges, the budget filter, the audit and the privacy statement; none of them stores anything.
 */
@NullMarked
package io.mutune.accountant.ledger;

import org.jspecify.annotations.NullMarked;
