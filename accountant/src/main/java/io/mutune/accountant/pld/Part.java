package io.mutune.accountant.pld;

/** A loss that is drawn {@code count} times, independently. */
record Part(PrivacyLoss loss, long count) {}
