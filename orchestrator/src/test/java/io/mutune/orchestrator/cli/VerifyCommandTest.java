package io.mutune.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mutune.orchestrator.cli.command.ExitCode;
import io.mutune.orchestrator.cli.input.StoreOption;
import io.mutune.orchestrator.display.Json;
import io.mutune.orchestrator.report.ModelCard;
import io.mutune.orchestrator.store.Stores;
import io.mutune.orchestrator.store.StudyNote;
import io.mutune.orchestrator.store.StudyStore;
import io.mutune.trainer.npy.NpyArray;
import io.mutune.trainer.npy.NpzFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.commons.io.file.PathUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** A verification that could not fail would be worth nothing: each of these it has to find. */
class VerifyCommandTest extends VerifiedFolder {
  @Test
  void aFolderAsItWasLeft_agrees_andWhatIsNotProvedIsSaid() {
    assertThat(problems()).isEmpty();
    assertThat(problems("--folder-alone")).isEmpty();
    assertThat(CommandRun.of("verify", study.resolve("model.npz").toString()).succeeded().out())
        .contains("not proved: who wrote these files", "Everything agrees.")
        .doesNotContain("the ledger was not looked at", "whom the statement protects");
    String alone =
        CommandRun.of("verify", study.toString(), "--folder-alone", "--format", "json")
            .succeeded()
            .out();
    assertThat(Json.read(alone).path("agrees").asBoolean()).isTrue();
    assertThat(alone)
        .contains("the ledger was not looked at", "what plan.json and model.json say")
        .contains("whom the statement protects, whether its guarantee holds")
        .doesNotContain("there is no card", "what result.json says");
  }

  @Test
  void withoutACard_whatItWouldHaveShown_isSaid() throws IOException {
    Files.delete(study.resolve("card.json"));
    assertThat(problems("--folder-alone"))
        .contains("card.md is here without the card.json that it belongs to");
    Files.delete(study.resolve("card.md"));
    assertThat(CommandRun.of("verify", study.toString()).succeeded().out())
        .contains("not proved: what report.html and the figures say: there is no card")
        .contains("checked:    plan.json, model.json, name,")
        .doesNotContain("what plan.json and model.json say", "that the models are those");
    change("result.json", "\"testAccuracy\" : [0-9.]+", "\"testAccuracy\" : 0.991");
    Files.write(study.resolve("model.npz"), new byte[] {1});
    assertThat(CommandRun.of("verify", study.toString(), "--folder-alone").succeeded().out())
        .contains("not proved: what result.json says, and that the models are those of the study");
  }

  @Test
  void aLedgerWithoutItsWitness_mayHaveLostEntries() throws IOException {
    Files.delete(study.resolveSibling(StoreOption.FILE + ".witness"));
    assertThat(CommandRun.of("verify", study.toString()).succeeded().out())
        .contains("not proved: that the ledger lost no entry: ", "the store's witness is missing");
  }

  @Test
  void aCopyElsewhere_isHeldAgainstTheStoreThatIsNamed() throws IOException {
    Path copy = Files.createDirectories(folder.resolve("elsewhere/copy"));
    try (Stream<Path> files = Files.list(study)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, copy.resolve(file.getFileName().toString()));
      }
    }
    String runs = study.resolveSibling("").toString();
    CommandRun.of("verify", copy.toString(), "--output", runs).succeeded();
    assertThat(CommandRun.of("verify", copy.toString()).status()).isEqualTo(ExitCode.STORAGE);
    Files.writeString(
        copy.resolve("statement.json"),
        Files.readString(copy.resolve("statement.json"))
            .replaceFirst("\"epsilon\" : [0-9.]+", "\"epsilon\" : 0.1"));
    assertThat(CommandRun.of("verify", copy.toString(), "--output", runs).status())
        .isEqualTo(ExitCode.AUDIT_DISAGREES);
  }

  @Test
  void anotherModel_isFound() throws IOException {
    Path npz = study.resolve("model.npz");
    NpyArray weights = Objects.requireNonNull(NpzFile.read(npz).get("weights"));
    double[] changed = weights.values().clone();
    changed[0] = Math.nextUp(changed[0]);
    NpzFile.write(npz, Map.of("weights", new NpyArray(weights.shape(), changed)));
    assertThat(problems())
        .contains(
            "the model is not the one whose digest is in the ledger",
            "model.npz is not the one whose digest is in the card");
    assertThat(problems("--folder-alone"))
        .contains("model.npz is not the one whose digest is in the card");
    assertThat(Arrays.equals(changed, weights.values())).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "statement.json, '\"epsilon\" : [0-9.]+', '\"epsilon\" : 0.01'",
    "statement.json, '\"mu\" : [0-9.]+', '\"mu\" : 0.001'",
    "statement.json, '\"sigma\" : [0-9.]+', '\"sigma\" : 1.5'",
    "card.json, '\"epsilon\" : [0-9.]+', '\"epsilon\" : 0.01'",
    "result.json, '\"testAccuracy\" : [0-9.]+', '\"testAccuracy\" : 0.999'",
    "model.json, '\"loss\" : \"softmax\"', '\"loss\" : \"hinge\"'",
    "plan.json, '\"rows\" : 400', '\"rows\" : 40000'",
    "card.md, 'Epsilon: [0-9.]+', 'Epsilon: 0.01'",
    "card.md, 'add-remove', 'replace-one'",
    "statement.txt, 'epsilon [0-9.]+', 'epsilon 0.01'",
    "statement.txt, 'Protected: one row', 'Protected: one person'",
    "trials.csv, '\n1,1,1,[0-9.]+', '\n1,1,1,0.01'",
    "report.html, 'What is guaranteed', 'What is certain'",
  })
  void aChangedFigure_isFound(String file, String from, String to) throws IOException {
    change(file, from, to);
    assertThat(problems()).isNotEmpty();
    assertThat(problems("--folder-alone")).isNotEmpty();
  }

  /** With no card beside them there are no digests: what is made again has to show it. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "statement.txt, Protected: one row, Protected: one person, statement.txt does not say",
        "trials.csv, `,scored,holds`, `,scored,void`, `trials.csv, line 2: `",
        "sweep.yaml, name: small, name: other, sweep.yaml is not the sweep",
        "result.json, \"testAccuracy\" : [0-9.]+, \"testAccuracy\" : 0.999, a different test figure",
        "result.json, `\"testAccuracy\" : [0-9.]+,`, ``, a different test figure",
        "result.json, `\"testAccuracy\" :`, `\"testError\" :`, a different test figure",
        "result.json, \"trial\" : 2, \"trial\" : 3, not have the trials of this study",
        "result.json, \"score\" : [0-9.]+, \"score\" : 0.999, a different score for trial 1",
        "statement.json, other studies on the same rows, nothing, the statement's 'excluded'",
        "statement.json, one row of, one person of, the statement's 'unit'",
        "statement.json, \"version\" : 1, \"version\" : 7, the statement's version is not 1",
        "statement.json, `\"mu\" : ([0-9.]{9})[0-9]+`, `\"mu\" : $19`, the statement's 'mu'",
        "result.json, `\"mutune\" : \"[^\"]+\"`, `\"mutune\" : \"9\"`, other processes than the ledger",
        "result.json, `\"name\" :`, `\"guarantee\" : \"void\", \"name\" :`, another guarantee",
        "result.json, `(?s)(\"final\" : .*?\"steps\" : )5`, $14, another final run than the ledger",
        "result.json, `(?s)(\"final\" : .*?)\"steps\" : 5,`, $1, another final run than the ledger",
        "result.json, `\"final\" : \\{`, `\"final\" : { \"clipNorm\" : 3,`, another final run than the ledger",
        "result.json, `\"final\" : \\{`, `\"final\" : { \"trial\" : 1,`, another final run than the ledger",
        "trials.csv, logitNoise, logitnoise, not have the columns of a study's trials",
        "plan.json, \"rows\" : 400, \"rows\" : 40000, plan.json's 'rows' is not what follows",
        "plan.json, `\"epsilon\" : [0-9.]+`, `\"epsilon\" : 0.01`, plan.json's 'budget'",
        "plan.json, `(?s)(\"trials\" :.*?\"epsilon\" : )[0-9.]+`, $10.01, plan.json's 'trials'",
        "plan.json, `\"name\" :`, `\"unit\" : \"person\", \"name\" :`, plan.json's 'unit'",
        "model.json, \"loss\" : \"softmax\", \"loss\" : \"hinge\", model.json's 'loss'",
        "model.json, `\"classes\" : \\[ \"0\", \"1\"`, `\"classes\" : [ \"1\", \"0\"`, model.json's 'classes'",
        "model.json, `\"l2-normalize\"`, `\"l1-normalize\"`, model.json's 'features'",
        "model.json, \"header\" : false, \"header\" : true, model.json's 'data'",
        "result.json, \"strategy\" : \"[a-z-]+\", \"strategy\" : \"fixed\", result.json's 'strategy'",
        "result.json, \"method\" : \"[a-z-]+\", \"method\" : \"dp-sgd\", result.json's 'method'",
        "result.json, \"name\" : \"[a-z-]+\", \"name\" : \"other\", result.json's 'name'",
        "result.json, `\"name\" :`, `\"registered\" : {}, \"name\" :`, result.json's 'registered'",
      })
  void withoutACard_whatTheStoreKnowsBetter_isFound(
      String file, String from, String to, String problem) throws IOException {
    Files.delete(study.resolve("card.json"));
    change(file, from, to);
    assertThat(problems()).anyMatch(line -> line.contains(problem));
  }

  /** With neither card nor store the charges are all that there is. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "\"delta\" : [0-9.E-]+, \"delta\" : 1e-12, the statement's delta is not its budget's",
        "`(?s)(\"epsilons\" : .*?\"epsilon\" : )[0-9.]+`, $10.001, the statement's profile promises more",
        "\"kind\" : \"[^\"]+\", \"kind\" : \"adaptive\", the statement's kind is 'adaptive'",
        "\"version\" : 1, \"version\" : 7, the statement's version is not 1",
        "\"accountant\" : \"gdp\", \"accountant\" : \"rdp\", beside an epsilon by rdp",
        "\"accountant\" : \"gdp\", \"accountant\" : \"ours\", statement.json is no statement",
        "`(?s)(\"budget\" : .*?\"mu\" : )[0-9.]+`, $10.001, the statement's budget does not add up",
        "`(?s)(\"budget\" : .*?\"adjacency\" : )\"[^\"]+`, `$1\"replace-one`, the statement's budget",
        "`(?s)(\"charges\" : .*?\"mu\" : )[0-9.]+`, $10.001, charge for trial 1 does not add up",
        "`(?s)(\"charges\" : .*?\"parameters\" : \\{)`, `$1 \"count\" : 1,`, charge for trial 1 does not",
      })
  void aStatementAlone_isHeldAgainstItsCharges(String from, String to, String problem)
      throws IOException {
    Files.delete(study.resolve("card.json"));
    change("statement.json", from, to);
    assertThat(problems("--folder-alone")).anyMatch(line -> line.contains(problem));
  }

  /** Of which one reader would see the one and another the other. */
  @Test
  void aStatementOfTwoEpsilons_isNone() throws IOException {
    Files.delete(study.resolve("card.json"));
    change("statement.json", "\"epsilon\" :", "\"epsilon\" : 0.1, \"epsilon\" :");
    String none = study.resolve("statement.json") + ": is no document of a study";
    assertThat(problems("--folder-alone")).contains(none);
    assertThat(problems()).contains(none);
  }

  @Test
  void wordsOfAnotherBuild_areNotCompared_andAreNamed() throws IOException {
    SmallSweep sweep = SmallSweep.in(Files.createDirectories(folder.resolve("other"))).steps(5);
    String name = CommandRun.of(sweep.command("submit")).succeeded().out().strip();
    study = sweep.runs().resolve(name);
    String id = name.substring(name.lastIndexOf('-') + 1);
    try (StudyStore store = Stores.openExisting(sweep.store())) {
      store.note(id, new StudyNote(StudyNote.Kind.PROCESS, Map.of("mutune", "9")));
    }
    CommandRun.of(sweep.command("worker", "--until-idle")).succeeded();
    change("statement.json", "other studies on the same rows", "nothing");
    assertThat(CommandRun.of("verify", study.toString()).succeeded().out())
        .contains("not proved: the statement's words: another build of Mutune wrote them")
        .contains("not proved: what plan.json and model.json say");

    // As where a process was killed between its folder and the end, and another one ended it.
    change("result.json", "(\"processes\" : \\[ \\{[^}]*\\}), \\{[^}]*\\}", "$1");
    assertThat(problems()).isEmpty();
    change("result.json", "\"mutune\" : \"9\"", "\"mutune\" : \"8\"");
    assertThat(problems()).containsExactly("result.json has other processes than the ledger");
  }

  @Test
  void aFigure_isBoundByTheCard_andIsNamedWhereItIsNotThere() throws IOException {
    Path figure;
    try (Stream<Path> figures = Files.list(study.resolve("figures"))) {
      figure = figures.findFirst().orElseThrow();
    }
    Files.writeString(figure, "<svg/>");
    assertThat(problems()).anyMatch(line -> line.startsWith("figures/"));
    Files.delete(figure);
    assertThat(CommandRun.of("verify", study.toString()).succeeded().out())
        .contains("not proved: what is not here: figures/" + figure.getFileName());
  }

  @Test
  void anotherModelOfTheStudy_isBoundByTheCard_andLeadsToTheStudysFolder() throws IOException {
    Path other = Files.createDirectories(folder.resolve("other"));
    SmallSweep several = SmallSweep.in(other).steps(5).trials(2).releases("[0.5]");
    study = CommandRun.run(several).succeeded().folder();
    CommandRun.of("card", study.toString()).succeeded();
    assertThat(Files.readString(study.resolve("card.md")))
        .contains("- release-1: epsilon 0.5 alone, ", " with the tuning")
        .contains("a guarantee only towards whoever sees that model")
        .contains("for whoever reads it the study's epsilon above holds");
    Path model = study.resolve("release-1/model.npz");
    CommandRun.of("verify", model.toString()).succeeded();
    Path described = study.resolve("release-1/model.json");
    Files.writeString(described, Files.readString(described).replace("softmax", "hinge"));
    assertThat(problems("--folder-alone"))
        .contains("release-1/model.json is not the one whose digest is in the card");
  }

  /** They may have been lost: the study need not be one without test rows. */
  @Test
  void aCardWithoutTestFigures_saysNoMore_andOneThatDidStillAgrees() throws IOException {
    Path other = Files.createDirectories(folder.resolve("other"));
    String[] run = SmallSweep.in(other).steps(5).trials(2).command("run");
    Path sweep = other.resolve("sweep.yaml");
    Files.writeString(sweep, Files.readString(sweep).replaceAll("\n  test: .*", ""));
    study = CommandRun.of(run).succeeded().folder();
    CommandRun.of("card", study.toString()).succeeded();
    assertThat(Files.readString(study.resolve("card.md")))
        .contains("\nThe study has no figures of test rows.\n");
    change("card.md", "no figures of test rows", "no test rows");
    assertThat(problems()).isEmpty();
  }

  /** A card of an earlier version, which had names as they are, says the same. */
  @Test
  void namesInACard_areNoMarkdown() throws IOException {
    ObjectNode card = ModelCard.document(study, "card.json");
    ((ObjectNode) card.path("data"))
        .putArray("classes")
        .add("<b>*a*</b>")
        .add("u_1")
        .add("[l](u)")
        .add("`c` & \\d");
    String text = ModelCard.text(card);
    String names = "\\<b>\\*a\\*\\</b>, u\\_1, \\[l](u), \\`c\\` \\& \\\\d";
    assertThat(text).contains("- Classes: " + names + "\n");
    String earlier = text.replace(names, "<b>*a*</b>, u_1, [l](u), `c` & \\d");
    assertThat(ModelCard.withoutIntendedUse(card, earlier))
        .isEqualTo(ModelCard.withoutIntendedUse(card, text))
        .isNotEqualTo(ModelCard.withoutIntendedUse(card, text.replace("u\\_1", "u\\_2")));
  }

  /** Who was given one cannot have it made anew. */
  @Test
  void aCardOfAnEarlierVersion_isHeldAgainstItsDocuments() throws IOException {
    String accuracy =
        Json.read(Files.readString(study.resolve("result.json"))).path("testAccuracy").toString();
    change("card.json", "\"notCovered\"", "\"testAccuracy\" : " + accuracy + ", \"notCovered\"");
    change("card.md", "## Test", "## Tests");
    assertThat(problems()).isEmpty();
    assertThat(CommandRun.of("verify", study.toString()).succeeded().out())
        .contains("not proved: what card.md says: an earlier version");
    change("card.json", "\"testAccuracy\" : [0-9.]+", "\"testAccuracy\" : 0.999");
    assertThat(problems())
        .contains("the card's 'testAccuracy' is not that of the documents beside it");
  }

  @Test
  void aSignature_isOfTheHoldersKey_andOfNoOtherCard() throws IOException {
    Path key = folder.resolve("owner.key");
    String known = CommandRun.of("key", "create", key.toString()).succeeded().out().strip();
    String other =
        CommandRun.of("key", "create", folder.resolve("other.key").toString())
            .succeeded()
            .out()
            .strip();
    assertThat(Files.getPosixFilePermissions(key))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    CommandRun.of("key", "create", key.toString()).failedWith(ExitCode.INVALID);
    assertThat(problems("--signer", known)).containsExactly("the card is not signed");

    change("card.json", "\"intendedUse\" : \"\"", "\"intendedUse\" : \"to plan wards\"");
    CommandRun.of("card", study.toString(), "--sign", key.toString()).succeeded();
    assertThat(problems()).isEmpty();
    assertThat(problems("--signer", known)).isEmpty();
    assertThat(problems("--folder-alone", "--signer", known)).isEmpty();
    String secret = Files.readAllLines(key).get(0);
    assertThat(problems("--signer", key.toString())).isEmpty();
    for (String wrong : List.of(secret, study.resolve("card.md").toString())) {
      assertThat(
              CommandRun.of("verify", study.toString(), "--signer", wrong)
                  .failedWith(ExitCode.INVALID))
          .contains("public", "ed25519:")
          .doesNotContain(secret);
    }
    assertThat(problems("--signer", other)).anyMatch(line -> line.endsWith("by the key " + other));
    assertThat(CommandRun.of("verify", study.toString()).out())
        .contains("checked:    the card's signature", "not proved: whose key signed the card")
        .doesNotContain(secret);
    change("card.json", "to plan wards", "to plan wars");
    assertThat(problems("--signer", known))
        .containsExactly("the card's signature is not by the key " + known);
  }

  @Test
  void aMissingFile_isNamed() throws IOException {
    Files.delete(study.resolve("sweep.yaml"));
    assertThat(CommandRun.of("verify", study.toString(), "--folder-alone").out())
        .contains("sweep.yaml is missing, and the card has its digest");
    Files.delete(study.resolve("statement.json"));
    assertThat(problems()).contains("statement.json is missing, and the card has its digest");
    assertThat(problems("--folder-alone"))
        .contains(study.resolve("statement.json") + ": there is no such file");
  }

  @Test
  void aStudy_isFoundByItsNameAndId() throws IOException {
    String runs = study.getParent().toString();
    String name = study.getFileName().toString();
    Files.delete(study.resolve("card.json"));
    Files.delete(study.resolve("card.md"));
    assertThat(CommandRun.of("card", name, "--output", runs).succeeded().out().strip())
        .isEqualTo(study.resolve("card.md").toString());
    for (String given : List.of(name, name.substring(name.lastIndexOf('-') + 1))) {
      CommandRun.of("verify", given, "--output", runs).succeeded();
    }
    assertThat(CommandRun.of("verify", "00000000", "--output", runs).failedWith(2))
        .endsWith(
            "there is no such file or folder; only finished studies have a folder, and 'mutune list' shows which they are");
  }

  @Test
  void aFolderWithoutAStore_canBeLookedAtAlone() throws IOException {
    Path alone = Files.createDirectories(folder.resolve("alone")).resolve("study");
    PathUtils.copyDirectory(study, alone);
    assertThat(CommandRun.of("verify", alone.toString()).failedWith(ExitCode.STORAGE))
        .contains("there is no store beside it", "--folder-alone");
    CommandRun.of("verify", alone.toString(), "--folder-alone").succeeded();
  }

  @Test
  void aFolderThatIsNotThere_isNamed() {
    assertThat(CommandRun.of("verify", study.resolve("none/of-it").toString()).failedWith(2))
        .endsWith(
            "of-it: there is no such file or folder; only finished studies have a folder, and 'mutune list' shows which they are");
  }

  @Test
  void theIntendedUse_mayBeWrittenIntoTheCard() throws IOException {
    change("card.json", "\"intendedUse\" : \"\"", "\"intendedUse\" : \"to plan wards\"");
    assertThat(problems()).isEmpty();
    change("card.md", "To be written by whoever passes the model on.", "To plan wards.");
    assertThat(problems()).isEmpty();
    assertThat(CommandRun.of("card", study.toString()).failedWith(2)).contains("is there already");
  }

  @Test
  void theCard_hasTheGuaranteeAndTheTest_andNoPlaceOfAPrivateFile() throws IOException {
    String text = Files.readString(study.resolve("card.md"));
    assertThat(text)
        .contains("# Model card: small", "## Guarantee", "- Delta: 1.0E-5", "## Intended use")
        .contains("accuracy ", "95% interval", "where always saying", "`mutune verify`")
        .contains("area under the ROC curve", "log loss", "| class | test rows | precision |")
        .doesNotContain("THE STATED EPSILON", "private.csv", made.toString());
    assertThat(Files.readString(study.resolve("card.json"))).doesNotContain(made.toString());
  }
}
