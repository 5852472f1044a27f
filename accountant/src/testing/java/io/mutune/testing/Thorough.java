package io.mutune.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Of a test that takes long and that others cover in part: it runs with {@code -Pthorough}. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfSystemProperty(
    named = "mutune.thorough",
    matches = "true",
    disabledReason = "takes long: -Pthorough runs it")
public @interface Thorough {}
