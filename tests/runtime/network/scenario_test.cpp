#include "runtime/network/scenario.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "runtime/data/reader_catalog.h"
#include "runtime/network/network_catalog.h"
#include "runtime/network/scenario_catalog.h"
#include "runtime/policy/policy_catalog.h"

namespace quintet {
namespace {

const std::string kHead =
    "name = \"mine\"\n"              // line 1
    "network = \"lenet5\"\n"         // line 2
    "batch = 8\n";                   // line 3
const std::string kTables =          // from line 4 where it follows the head at once
    "[data]\n"                       // line 4
    "dataset = \"fashion-mnist\"\n"  // line 5
    "[optimizer]\n"                  // line 6
    "kind = \"sgd\"\n"               // line 7
    "[learning_rate]\n"              // line 8
    "schedule = \"constant\"\n"      // line 9
    "peak = 0.5\n";                  // line 10

std::string error_of(const std::string& text) {
  const auto scenario = parse_scenario(text, "mine.toml");
  return scenario ? "no error" : to_string(scenario.error());
}

/// `text` with `from` replaced.
std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ScenarioFile, NeedsLittleAndSaysSoByItsDefaults) {
  const auto scenario = parse_scenario(kHead + kTables, "mine.toml");
  ASSERT_TRUE(scenario.has_value()) << to_string(scenario.error());
  EXPECT_EQ(scenario->name, "mine");
  EXPECT_EQ(scenario->file, "mine.toml");
  EXPECT_EQ(scenario->network, "lenet5");
  EXPECT_EQ(scenario->batch, 8);
  EXPECT_EQ(scenario->epochs, 1);
  EXPECT_EQ(scenario->steps, std::nullopt);
  EXPECT_EQ(scenario->lowering, Lowering::article);
  EXPECT_EQ(scenario->policy, "renaissance");
  EXPECT_EQ(scenario->data.directory, "/usr/share/datasets/fashion-mnist");
  EXPECT_EQ(std::get<SgdHyper>(scenario->optimizer).momentum, 0.9F);
  EXPECT_EQ(scenario->precision, Precision::fp32);
  EXPECT_EQ(scenario->ema, std::nullopt);
  EXPECT_EQ(scenario->loss.smoothing, 0.0F);
  EXPECT_EQ(scenario->micro_batches, 1);
  EXPECT_EQ(scenario->learning_rate.schedule, ScheduleKind::constant);
  EXPECT_DOUBLE_EQ(scenario->learning_rate.peak, 0.5);
}

TEST(ScenarioFile, GivesEveryFieldItsValue) {
  const auto scenario = parse_scenario(
      "name = \"all\"\ndescription = \"d\"\nnetwork = \"mlp\"\nbatch = 7\nepochs = 3\nsteps = 11\n"
      "precision = \"amp\"\nlowering = \"fused\"\npolicy = \"serial\"\nseed = 9\n"
      "micro_batches = 4\nlabel_smoothing = 0.125\n"
      "[mlp]\nhidden = [12, 5]\n"
      "[data]\ndataset = \"generated-images\"\nseed = 4\ntrain = 1\ntest = 2\nheight = 3\n"
      "width = 4\nchannels = 5\nclasses = 6\n"
      "[optimizer]\nkind = \"sgd\"\nmomentum = 0.5\nweight_decay = 0.25\nnesterov = true\n"
      "[ema]\ndecay = 0.75\n"
      "[learning_rate]\nschedule = \"cosine\"\npeak = 1\nfinal = 0.5\nwarmup_epochs = 1.5\n",
      "all.toml");
  ASSERT_TRUE(scenario.has_value()) << to_string(scenario.error());
  EXPECT_EQ(scenario->description, "d");
  EXPECT_EQ(scenario->epochs, 3);
  EXPECT_EQ(scenario->steps, 11);
  EXPECT_EQ(scenario->lowering, Lowering::fused);
  EXPECT_EQ(scenario->policy, "serial");
  EXPECT_EQ(scenario->seed, 9U);
  EXPECT_EQ(scenario->hidden, (std::vector<std::int64_t>{12, 5}));
  EXPECT_EQ(scenario->data.dataset, "generated-images");
  EXPECT_EQ(scenario->data.seed, 4U);
  EXPECT_EQ(scenario->data.generated.train, 1);
  EXPECT_EQ(scenario->data.generated.test, 2);
  EXPECT_EQ(scenario->data.generated.height, 3);
  EXPECT_EQ(scenario->data.generated.width, 4);
  EXPECT_EQ(scenario->data.generated.channels, 5);
  EXPECT_EQ(scenario->data.generated.classes, 6);
  const auto& sgd = std::get<SgdHyper>(scenario->optimizer);
  EXPECT_EQ(sgd.momentum, 0.5F);
  EXPECT_EQ(sgd.weight_decay, 0.25F);
  EXPECT_TRUE(sgd.nesterov);
  EXPECT_EQ(scenario->precision, Precision::amp);
  EXPECT_EQ(scenario->micro_batches, 4);
  EXPECT_EQ(scenario->loss.smoothing, 0.125F);
  ASSERT_TRUE(scenario->ema.has_value());
  EXPECT_EQ(scenario->ema->decay, 0.75F);

  const LearningRateSchedule schedule = schedule_of(*scenario, 10);
  EXPECT_EQ(schedule.kind, ScheduleKind::cosine);
  EXPECT_EQ(schedule.warmup_steps, 15);
  EXPECT_EQ(schedule.total_steps, 30) << "steps stops the run, it does not bend the schedule";
  EXPECT_EQ(schedule.at(14), 1.0F);
  EXPECT_EQ(schedule.at(30), 0.5F);
}

/// The scenario with `optimizer` in place of `kind = "sgd"` and its line.
Scenario with_optimizer(const std::string& optimizer) {
  const auto scenario =
      parse_scenario(changed(kHead + kTables, "kind = \"sgd\"\n", optimizer), "mine.toml");
  EXPECT_TRUE(scenario.has_value()) << to_string(scenario.error());
  return scenario.value_or(Scenario());
}

TEST(ScenarioFile, ReadsEachOptimizerWithItsOwnKeysAndDefaults) {
  const auto adam = with_optimizer(
      "kind = \"adam\"\nbeta1 = 0.5\nbeta2 = 0.75\nepsilon = 0.25\nweight_decay = 0.125\n");
  ASSERT_TRUE(std::holds_alternative<AdamHyper>(adam.optimizer));
  const auto& hyper = std::get<AdamHyper>(adam.optimizer);
  EXPECT_EQ(hyper.beta1, 0.5F);
  EXPECT_EQ(hyper.beta2, 0.75F);
  EXPECT_EQ(hyper.epsilon, 0.25F);
  EXPECT_EQ(hyper.weight_decay, 0.125F);
  EXPECT_EQ(name_of(adam.optimizer), "adam");

  const auto adamw = with_optimizer("kind = \"adamw\"\nweight_decay = 0.125\n");
  ASSERT_TRUE(std::holds_alternative<AdamWHyper>(adamw.optimizer));
  EXPECT_EQ(std::get<AdamWHyper>(adamw.optimizer).beta1, 0.9F);
  EXPECT_EQ(std::get<AdamWHyper>(adamw.optimizer).weight_decay, 0.125F);

  const auto lars = with_optimizer("kind = \"lars\"\nmomentum = 0.5\ntrust = 0.25\n");
  ASSERT_TRUE(std::holds_alternative<LarsHyper>(lars.optimizer));
  EXPECT_EQ(std::get<LarsHyper>(lars.optimizer).momentum, 0.5F);
  EXPECT_EQ(std::get<LarsHyper>(lars.optimizer).trust, 0.25F);
  EXPECT_EQ(std::get<LarsHyper>(lars.optimizer).epsilon, 1e-9F);
}

TEST(ScenarioFile, TurnsEpochsOfAScheduleIntoSteps) {
  const std::string text = changed(kHead + kTables, "batch = 8\n", "batch = 8\nepochs = 9\n");
  const auto falling = parse_scenario(
      changed(text, "\"constant\"", "\"step\"") + "gamma = 0.5\nmilestones = [2, 5]\n",
      "mine.toml");
  ASSERT_TRUE(falling.has_value()) << to_string(falling.error());
  const LearningRateSchedule steps = schedule_of(*falling, 10);
  EXPECT_EQ(steps.kind, ScheduleKind::step);
  EXPECT_EQ(steps.at(19), 0.5F);
  EXPECT_EQ(steps.at(20), 0.25F);
  EXPECT_EQ(steps.at(50), 0.125F);
  const auto regular = parse_scenario(
      changed(text, "\"constant\"", "\"step\"") + "gamma = 0.5\nevery_epochs = 3\n", "mine.toml");
  ASSERT_TRUE(regular.has_value()) << to_string(regular.error());
  EXPECT_EQ(schedule_of(*regular, 10).at(29), 0.5F);
  EXPECT_EQ(schedule_of(*regular, 10).at(60), 0.125F);
  const auto power = parse_scenario(
      changed(text, "\"constant\"", "\"polynomial\"") + "power = 2\nfinal = 0.1\n", "mine.toml");
  ASSERT_TRUE(power.has_value()) << to_string(power.error());
  EXPECT_FLOAT_EQ(schedule_of(*power, 10).at(45), 0.1F + 0.4F * 0.25F);
}

TEST(ScenarioFile, NamesFileLineAndCureOfEachFault) {
  const std::string whole = kHead + kTables;
  EXPECT_EQ(error_of("name = \n").substr(0, 28), "mine.toml:1: not valid TOML:");
  EXPECT_EQ(error_of(changed(whole, "batch = 8", "batch = 0")),
            "mine.toml:3: batch = 0 is out of range; use 1 to 1000000000");
  EXPECT_EQ(error_of(changed(whole, "batch = 8", "batch = 8.5")),
            "mine.toml:3: batch is a number, not an integer; write an integer");
  EXPECT_EQ(error_of(changed(whole, "batch", "batsh")),
            "mine.toml:3: unknown key batsh; did you mean \"batch\"?");
  EXPECT_EQ(error_of(changed(whole, "lenet5", "lenet")),
            "mine.toml:2: network = \"lenet\" is not known; did you mean \"lenet5\"?");
  EXPECT_EQ(error_of(changed(whole, "batch = 8", "precision = \"fp16\"")),
            "mine.toml:3: precision = \"fp16\" is not known; did you mean \"fp32\"?");
  EXPECT_EQ(error_of(changed(whole, "batch = 8", "batch = 8\nlabel_smoothing = 1")),
            "mine.toml:4: label_smoothing = 1 ignores the labels; use less than 1");
  EXPECT_EQ(error_of(changed(whole, "batch = 8", "batch = 8\nmicro_batches = 0")),
            "mine.toml:4: micro_batches = 0 is out of range; use 1 to 4096");
  EXPECT_EQ(error_of(whole + "[ema]\ndecay = 1\n"),
            "mine.toml:12: ema.decay = 1 never forgets the first weights; use less than 1");
  EXPECT_EQ(error_of(whole + "gamma = 0.5\n"),
            "mine.toml:11: learning_rate.gamma is given, but the schedule is constant; delete the "
            "key or set schedule = \"step\"");
  EXPECT_EQ(error_of(whole + "power = 2\n"),
            "mine.toml:11: learning_rate.power is given, but the schedule is constant; delete the "
            "key or set schedule = \"polynomial\"");
  const std::string step =
      changed(changed(whole, "constant", "step"), "batch = 8", "batch = 8\nepochs = 9");
  EXPECT_EQ(error_of(step + "milestones = [3, 2]\n"),
            "mine.toml:12: the milestone of epoch 2 comes after that of epoch 3; list them in "
            "rising order");
  EXPECT_EQ(error_of(step + "milestones = [3, 9]\n"),
            "mine.toml:12: the milestone of epoch 9 is not within the run of 9; use fewer than "
            "epochs");
  EXPECT_EQ(error_of(step + "milestones = [3]\nevery_epochs = 2\n"),
            "mine.toml:13: the rate falls both at milestones and every so many epochs; delete one "
            "of the two");
  EXPECT_EQ(error_of(changed(whole, "batch = 8", "lowering = \"fusd\"")),
            "mine.toml:3: lowering = \"fusd\" is not known; did you mean \"fused\"?");
  EXPECT_EQ(error_of(changed(whole, "batch = 8", "epochs = -1")),
            "mine.toml:3: epochs = -1 is out of range; use 1 to 1000000000");
  EXPECT_EQ(error_of(changed(whole, "batch = 8", "seed = -1")),
            "mine.toml:3: seed = -1 is out of range; use 0 to 9223372036854775807");
  EXPECT_EQ(error_of(changed(whole, "fashion-mnist", "fashon-mnist")),
            "mine.toml:5: data.dataset = \"fashon-mnist\" is not known; did you mean "
            "\"fashion-mnist\"?");
  EXPECT_EQ(error_of(changed(whole, "[optimizer]\n", "train = 5\n[optimizer]\n")),
            "mine.toml:6: data.train is given, but fashion-mnist is read from files; delete the "
            "key");
  EXPECT_EQ(
      error_of(changed(whole, "\"fashion-mnist\"\n", "\"generated-images\"\ndirectory = \"/\"\n")),
      "mine.toml:6: data.directory is given, but generated-images reads no file; delete the "
      "key");
  EXPECT_EQ(error_of(changed(whole, "sgd", "adams")),
            "mine.toml:7: optimizer.kind = \"adams\" is not known; did you mean \"adam\"?");
  EXPECT_EQ(error_of(changed(whole, "kind = \"sgd\"", "kind = \"adam\"\nmomentum = 0.9")),
            "mine.toml:8: unknown key optimizer.momentum; use one of beta1, beta2, epsilon, kind, "
            "weight_decay");
  EXPECT_EQ(error_of(changed(whole, "kind = \"sgd\"", "kind = \"adam\"\nbeta2 = 1")),
            "mine.toml:8: optimizer.beta2 = 1 never forgets a gradient; use less than 1");
  EXPECT_EQ(error_of(changed(whole, "[learning_rate]\n", "momentum = 1\n[learning_rate]\n")),
            "mine.toml:8: optimizer.momentum = 1 never forgets a gradient; use less than 1");
  EXPECT_EQ(error_of(changed(whole, "[learning_rate]\n", "momentum = nan\n[learning_rate]\n")),
            "mine.toml:8: optimizer.momentum = nan is out of range; use 0 to 1");
  EXPECT_EQ(error_of(changed(whole, "[learning_rate]\n",
                             "nesterov = true\nmomentum = 0\n[learning_rate]\n")),
            "mine.toml:8: optimizer.nesterov = true needs a momentum; add momentum = 0.9 or set "
            "nesterov = false");
  EXPECT_EQ(error_of(changed(whole, "[learning_rate]\n", "nesterov = 1\n[learning_rate]\n")),
            "mine.toml:8: optimizer.nesterov is an integer, not true or false; write true or "
            "false");
  EXPECT_EQ(error_of(changed(whole, "peak = 0.5", "peak = -0.5")),
            "mine.toml:10: learning_rate.peak = -0.5 is out of range; use 0 to 1000");
  EXPECT_EQ(error_of(changed(whole, "peak = 0.5", "peak = \"high\"")),
            "mine.toml:10: learning_rate.peak is text, not a number; write a number");
  EXPECT_EQ(error_of(whole + "final = 0.1\n"),
            "mine.toml:11: learning_rate.final is given, but the schedule is constant; delete the "
            "key or set schedule = \"cosine\"");
  EXPECT_EQ(error_of(changed(whole, "constant", "cosine") + "final = 0.6\n"),
            "mine.toml:11: learning_rate.final = 0.6 is above the peak, 0.5; use the peak or less");
  EXPECT_EQ(error_of(whole + "warmup_steps = 2\nwarmup_epochs = 0.5\n"),
            "mine.toml:12: the warm-up is given both in steps and in epochs; delete one of the "
            "two");
  EXPECT_EQ(error_of(whole + "warmup_epochs = 1\n"),
            "mine.toml:11: the warm-up of 1 epochs fills the run of 1; use fewer than epochs");
  EXPECT_EQ(error_of(whole + "[mlp]\nhidden = [3]\n"),
            "mine.toml:11: [mlp] is given, but the network is lenet5; delete the table or set "
            "network = \"mlp\"");
  EXPECT_EQ(error_of(changed(whole, "lenet5", "mlp") + "[mlp]\nhidden = [\n3,\n0]\n"),
            "mine.toml:14: mlp.hidden holds 0, which is out of range; use 1 to 65536");
  EXPECT_EQ(error_of(changed(whole, "lenet5", "mlp") + "[mlp]\nhidden = [3.5]\n"),
            "mine.toml:12: mlp.hidden holds a number, not an integer; write integers");
  EXPECT_EQ(error_of(whole + "[optimiser]\n"),
            "mine.toml:11: unknown table [optimiser]; did you mean \"optimizer\"?");
}

TEST(ScenarioFile, NamesTheKeysThatMustBeThere) {
  EXPECT_EQ(error_of(changed(kHead, "name = \"mine\"\n", "") + kTables),
            "mine.toml: the key name is missing; add name = \"my-scenario\"");
  EXPECT_EQ(error_of(changed(kHead, "batch = 8\n", "") + kTables),
            "mine.toml: the key batch is missing; add batch = 64");
  EXPECT_EQ(error_of(changed(kHead, "network = \"lenet5\"\n", "") + kTables),
            "mine.toml: the key network is missing; add network = \"lenet5\"");
  EXPECT_EQ(error_of(kHead),
            "mine.toml: the key data is missing; add [data] with dataset = \"fashion-mnist\"");
  EXPECT_EQ(error_of(kHead + changed(kTables, "dataset = \"fashion-mnist\"\n", "")),
            "mine.toml:4: the key dataset of [data] is missing; add dataset = \"fashion-mnist\"");
  EXPECT_EQ(error_of(kHead + changed(kTables, "peak = 0.5\n", "")),
            "mine.toml:8: the key peak of [learning_rate] is missing; add peak = 0.05");
  EXPECT_EQ(error_of(changed(kHead + kTables, "constant", "step")),
            "mine.toml:8: the key milestones of [learning_rate] is missing; add milestones = [30, "
            "60, 80] or every_epochs = 30");
  EXPECT_EQ(error_of(kHead + kTables + "[ema]\n"),
            "mine.toml:11: the key decay of [ema] is missing; add decay = 0.999");
  EXPECT_EQ(error_of(changed(kHead + kTables, "fashion-mnist", "cifar-10")),
            "mine.toml:4: the key directory of [data] is missing; add directory = "
            "\"cifar-10-batches-bin\"");
  EXPECT_EQ(error_of(kHead + changed(kTables, "kind = \"sgd\"\n", "")),
            "mine.toml:6: the key kind of [optimizer] is missing; add kind = \"sgd\"");
}

TEST(ScenarioFile, NeverCrashesOnATextCutAnywhere) {
  const std::string text = kHead + kTables;
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {
    const auto scenario = parse_scenario(text.substr(0, length), "mine.toml");
    EXPECT_EQ(scenario ? "mine.toml" : scenario.error().file, "mine.toml");
  }
}

TEST(LoadScenario, SaysWhatIsWrongWithAFileItCannotRead) {
  EXPECT_EQ(to_string(load_scenario("nowhere.toml").error()),
            "nowhere.toml: no such scenario file; check the path");
}

TEST(ScenarioCatalog, HoldsExactlyTheFilesOfItsFolderUnderTheirOwnNames) {
  std::set<std::string> in_catalog;
  for (const BuiltinScenario& builtin : scenario_catalog()) {
    in_catalog.insert(std::string(builtin.name));
    const auto scenario = find_scenario(std::string(builtin.name));
    ASSERT_TRUE(scenario.has_value()) << to_string(scenario.error());
    EXPECT_EQ(scenario->name, builtin.name);
    EXPECT_FALSE(scenario->description.empty());
    std::ifstream file(fmt::format("{}/scenarios/{}.toml", QUINTET_SOURCE_DIR, builtin.name));
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), builtin.toml);
  }
  std::set<std::string> in_folder;
  const std::filesystem::path folder = std::filesystem::path(QUINTET_SOURCE_DIR) / "scenarios";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".toml") in_folder.insert(entry.path().stem().string());
  }
  EXPECT_EQ(in_catalog, in_folder);
}

TEST(ScenarioCatalog, NamesNetworksDataSetsAndPoliciesThatExist) {
  for (const BuiltinScenario& builtin : scenario_catalog()) {
    const auto scenario = find_scenario(std::string(builtin.name));
    ASSERT_TRUE(scenario.has_value());
    NetworkInput input;
    input.hidden = scenario->hidden;
    EXPECT_TRUE(make_network(scenario->network, input).has_value());
    const auto reader = find_reader(scenario->data.dataset);
    ASSERT_TRUE(reader.has_value());
    EXPECT_EQ((*reader)->generated, builtin.name.starts_with("generated"));
    EXPECT_TRUE(find_policy(scenario->policy).has_value());
  }
}

TEST(ScenarioCatalog, FindsAScenarioByPathAndNamesTheNearestOfOneItDoesNotHave) {
  const auto by_path =
      find_scenario(std::string(QUINTET_SOURCE_DIR) + "/scenarios/fashion-mlp.toml");
  ASSERT_TRUE(by_path.has_value());
  EXPECT_EQ(by_path->name, "fashion-mlp");
  EXPECT_EQ(to_string(find_scenario("fashion-lenett").error()),
            "no scenario is called \"fashion-lenett\" and no such file exists; did you mean "
            "\"fashion-lenet\"?");
}

TEST(GeneratedScenarios, HaveAShortLastBatchInTrainingAndEvaluation) {
  for (const std::string name : {"generated-lenet", "generated-mlp"}) {
    const auto scenario = find_scenario(name);
    ASSERT_TRUE(scenario.has_value());
    EXPECT_NE(scenario->data.generated.train % scenario->batch, 0);
    EXPECT_NE(scenario->data.generated.test % scenario->batch, 0);
  }
}

}  // namespace
}  // namespace quintet
